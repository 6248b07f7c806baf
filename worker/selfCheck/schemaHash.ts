/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '0f19711e881f577290e26974851417bcc5dc78d5d3403ed45a43c8fc153b50be'
