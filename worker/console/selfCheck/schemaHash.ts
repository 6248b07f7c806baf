/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '17438b502606a92080f96e676aebe5f4b52c7129163bc9834366d1d7612b6945'
