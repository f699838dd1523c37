"""Reports of tournaments: tables, charts and pages."""
