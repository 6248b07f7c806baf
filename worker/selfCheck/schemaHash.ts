/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'f0e6406fcf68fdcad9c301cbf91f32601e38ccb0c1d6d1d956e5f50f69ec7529'
