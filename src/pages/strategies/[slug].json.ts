import type { APIRoute, GetStaticPaths } from 'astro'
import { CATALOGUE, type Offered } from '../../../engine/catalogue.ts'
import { backtestOf } from '../_investing/strategies/backtestOf.ts'

export const getStaticPaths = (() =>
  CATALOGUE.map((offered) => ({
    params: { slug: offered.slug },
    props: { offered },
  }))) satisfies GetStaticPaths

/** A strategy’s backtest per day, with which “Run it yourself” compares its result. */
export const GET: APIRoute<{ offered: Offered }> = ({ props }) => Response.json(backtestOf(props.offered))
