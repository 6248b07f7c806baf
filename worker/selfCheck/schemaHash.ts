/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '27a37fd7691335bad93dfe13472a35b21d01312bea576fd7b71a5a17ce1d2ed9'
