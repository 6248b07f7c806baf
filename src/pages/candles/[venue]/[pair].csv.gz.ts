import type { APIRoute, GetStaticPaths } from 'astro'
import { PRICE_VENUES } from '../../../../engine/market/realPairs.ts'
import { type CandleFile, encodeCandleFile, listCandleFiles } from '../../_investing/candles/candleFile.ts'

export const getStaticPaths = (() =>
  PRICE_VENUES.flatMap(({ id, pairs }, place) =>
    pairs.map(({ asset, pair }) => ({
      params: { venue: id, pair },
      props: { file: listCandleFiles(asset)[place] },
    })),
  )) satisfies GetStaticPaths

/** The real daily prices of one pair, compressed. */
export const GET: APIRoute<{ file: CandleFile }> = ({ props }) =>
  new Response(encodeCandleFile(props.file), {
    headers: { 'Content-Type': 'application/gzip' },
  })
