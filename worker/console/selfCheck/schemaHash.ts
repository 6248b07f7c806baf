/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '28f7ce35f2b04ea5e4c5c7abea26364847f8f3c9fdf7d8cb1657a935f8c5b577'
