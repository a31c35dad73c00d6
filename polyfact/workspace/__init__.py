"""The folder of a benchmark: recipe, atomic files, hashes."""

from polyfact.workspace._recipe import FILE_NAME, FilterUse, Recipe, Release, Source, TopicUse, read_recipe
from polyfact.workspace._staging import new_folder
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
    "new_folder",
    "read_recipe",
    "sha256_file",
]
