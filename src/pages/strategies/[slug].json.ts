import type { APIRoute, GetStaticPaths } from 'astro'
import { CATALOGUE, type Offered } from '../../../engine/catalogue.ts'
import { backtestOf } from '../_investing/strategies/backtestOf.ts'

export const getStaticPaths = (() =>
  CATALOGUE.map((offered) => ({
    params: { slug: offered.slug },
    props: { offered },
  }))) satisfies GetStaticPaths

/** All figures of a strategy’s test, day by day: what its page shows, and what “Run it yourself” compares with. */
export const GET: APIRoute<{ offered: Offered }> = ({ props }) => Response.json(backtestOf(props.offered))
