/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '66e2ef14f99cd75139a9c2106a174eca6f70f4bb3a5c0c8e2033e3ac75caff18'
