/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'c0fe43a30189023b770a5ee9898c4057dcc6a3a8e5c18d56fa2ffc6d167fb49f'
