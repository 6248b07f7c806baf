/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'fe2b0e12c4396c4ef7071e8138e2a5274ece2edcac72588eaa0b436b89425d7b'
