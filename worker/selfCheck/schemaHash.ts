/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '7142a9e34df3512c3b5d9576de8df68cf6b4a521ea0be3e1e6f995990e12f4d2'
