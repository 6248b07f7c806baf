/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '54f00db149e24c4cbb056ca1eb5f7ce5b7b2b6991a030ec4ad87aed8c2970dd2'
