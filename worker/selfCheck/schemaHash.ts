/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'aa144f70575eff6c561c3b2b00225f67717778ce5abcc147563c4aef3f27dee9'
