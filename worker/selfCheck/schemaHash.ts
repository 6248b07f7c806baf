/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'd5a9818084a5ae316a9ccf0826fbbb15ceb19dd0d6688cf67d606fc4a197b38f'
