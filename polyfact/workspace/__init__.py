"""The folder of a benchmark: recipe, atomic files, hashes."""

from polyfact.workspace._recipe import FILE_NAME, FilterUse, Recipe, Release, Source, TopicUse, read_recipe
from polyfact.workspace._workspace import Workspace, create, sha256_file

__all__ = [
    "FILE_NAME",
    "FilterUse",
    "Recipe",
    "Release",
    "Source",
    "TopicUse",
    "Workspace",
    "create",
    "read_recipe",
    "sha256_file",
]
