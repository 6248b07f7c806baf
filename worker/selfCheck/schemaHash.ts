/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '36239259ea2b1e2dc2b1073e5b4b13ee266c6aa2f3711b997b696991b37e466a'
