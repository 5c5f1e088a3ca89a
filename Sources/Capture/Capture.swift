// Replaced when the module is written.
