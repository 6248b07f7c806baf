/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '178f9099c27a88ef0d3aef11d3428f230ed3609fc82cc28da889915297ea5c77'
