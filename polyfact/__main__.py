"""python -m polyfact."""

from polyfact.cli import main

if __name__ == "__main__":
    main()
