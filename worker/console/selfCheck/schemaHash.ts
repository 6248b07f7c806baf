/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '94226f711b8d1f207dcfee2f9a3eadac70b7e27dbc3829b6ae0dbcbeb59511bb'
