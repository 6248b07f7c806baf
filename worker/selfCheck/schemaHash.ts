/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '680f83680c75cbe7ed250507b7dc47f9a3bcde2192b5d52b079e2273c478193f'
