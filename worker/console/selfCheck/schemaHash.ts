/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'b7df732e8e31fdcad1c825129ba263b64b36ad4879ba2fc988ae0b32b7259326'
