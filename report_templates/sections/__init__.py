"""The sections of the PDF documents: each writes its part of the story."""
