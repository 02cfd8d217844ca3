"""Memory on the fullest GPU: the door to the equations, the allowance on top of live bytes, and the verdict."""

from desktop_app.estimation.estimate import Fits, MemoryPeak
from desktop_app.estimation.memory_job import options_of
from desktop_app.estimation.memory_moments import MOMENTS, PeakMemory, peak_memory
from desktop_app.estimation.memory_recipe import MemoryRecipe, recipe_from
from desktop_app.estimation.memory_tables import constant
from desktop_app.estimation.model_spec import ModelSpec
from desktop_app.estimation.plan import Plan
from desktop_app.estimation.shape import Shape
from desktop_app.estimation.training_job import TrainingJob
from desktop_app.foundation import scalar_ops
from desktop_app.foundation.scalar_ops import Number, Ops
from desktop_app.foundation.units import BYTES_PER_GB, BYTES_PER_GIB

__all__ = ["Allowance", "MemoryRecipe", "PeakMemory", "allowance", "memory_peak", "peak_memory", "recipe_of", "verdict"]
