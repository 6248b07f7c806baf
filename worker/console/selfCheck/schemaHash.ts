/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '4e3d55e1a97f03c360f0c14a3240d8573d1e20b2f753f489296aae0bafe46ff2'
