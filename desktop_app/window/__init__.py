"""The window: Qt only, no arithmetic of its own and no words of its own."""
