/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'bdcb9efe9b97ed0ff0d0a0648d8c747a14d01664595f876c008acde7579e526a'
