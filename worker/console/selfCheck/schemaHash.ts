/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '3bc54e7aa142281a29990160e747b59b95f9c4262b44817c3b35eee4c05e618d'
