import type { APIRoute, GetStaticPaths } from 'astro'
import { REAL_PAIRS } from '../../../../engine/market/realPairs.ts'
import { encodeCandleFile, getCandleFile } from '../../_investing/candles/candleFile.ts'

export const getStaticPaths = (() =>
  REAL_PAIRS.map(({ asset, pair }) => ({ params: { pair }, props: { asset } }))) satisfies GetStaticPaths

/** The real daily prices of one pair, compressed. */
export const GET: APIRoute<{ asset: string }> = ({ props }) =>
  new Response(encodeCandleFile(getCandleFile(props.asset)), {
    headers: { 'Content-Type': 'application/gzip' },
  })
