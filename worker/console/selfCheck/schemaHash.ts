/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '1a37578b789236affe3bd769a5741497101dba6e53caacac91dcd5521c2743f6'
