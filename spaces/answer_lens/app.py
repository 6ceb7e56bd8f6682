"""Answer Lens: every score for one answer, side by side. Run it with `python app.py`."""

from lens.page.build import demo, main

__all__ = ["demo"]

if __name__ == "__main__":
    main()
