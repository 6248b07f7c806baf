/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '9ac53dfbc215e5ddcffe4781e72bcecb179af109d8d9da06cf8078951a9cd968'
