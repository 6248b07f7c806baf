/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '2ce137d94caa41816988743d0af266c108ce7aa47b7abfb1a521d91905179cc6'
