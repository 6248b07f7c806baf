import type { APIRoute, GetStaticPaths } from 'astro'
import { SIMULATED_ASSETS } from '../../../engine/market/simulatedAssets.ts'
import { getSimulatedFile } from '../_investing/candles/candleFile.ts'

export const getStaticPaths = (() =>
  SIMULATED_ASSETS.map(({ id }) => ({ params: { asset: id } }))) satisfies GetStaticPaths

export const GET: APIRoute<Record<string, never>, { asset: string }> = ({ params }) =>
  new Response(getSimulatedFile(params.asset).text, {
    headers: { 'Content-Type': 'text/csv; charset=utf-8' },
  })
