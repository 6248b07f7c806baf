import type { Backtest } from '../../../../engine/backtest/backtestResult.ts'
import { toDayName, toDayNumber } from '../../../../engine/metrics/dailyEquity.ts'
import { reduceSeries } from '../../../contract/series.ts'
import { computeFalls } from '../../../islands/investing/chart/chartCourse.ts'
import { drawArea, drawLine } from '../../_investing/strategies/courseShape.ts'

/** The picture's height in units: fine enough for any screen, coarse enough for short paths. */
const HEIGHT = 500
/** Vertical positions: the highest and the lowest worth, the waterline and a fall of 100 %. */
const TOP = 15
const FLOOR = 335
const WATER = 360
const DEPTH = 500
/** Each keeps its lowest and its highest value. The line for comparison is thinner and needs fewer. */
const STEPS = 110
const HELD_STEPS = 80
/** The axis shows powers of ten from here. */
const LEAST_TICK_USD = 1000
/** The least distance in per cent between two amounts at the right edge. */
const APART = 11

type HeroTest = Pick<Backtest, 'equity' | 'benchmark' | 'startingCash' | 'firstDay'>

/**
 * Charts of several tests on one scale, so that only the lines change when the visitor chooses another one. One unit of width per day,
 * text positions in per cent. Above the waterline: the worth on a logarithmic scale, of the rule and of holding the same asset
 * from the same day. Below it: the drawdowns of both.
 */
export function computeHeroShape(tests: readonly HeroTest[]) {
  const first = Math.min(...tests.map(({ firstDay }) => toDayNumber(firstDay)))
  const last = Math.max(...tests.map(({ firstDay, equity }) => toDayNumber(firstDay) + equity.length - 1))
  const values = tests.flatMap(({ equity, benchmark }) => [...equity, ...benchmark])
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const width = last - first
  const placeWorth = (usd: number) =>
    Math.round(FLOOR - (Math.log(usd / least) / Math.log(most / least)) * (FLOOR - TOP))
  const placeFall = (share: number) => Math.round(WATER + share * (DEPTH - WATER))
  const powers = Array.from(
    { length: Math.floor(Math.log10(most / LEAST_TICK_USD)) + 1 },
    (_, power) => LEAST_TICK_USD * 10 ** power,
  )
  return {
    width,
    height: HEIGHT,
    water: WATER,
    waterAt: toPercent(WATER),
    ticks: powers.map((usd) => ({ usd, at: placeWorth(usd), y: toPercent(placeWorth(usd)) })),
    /** The first day of every second year. */
    years: Array.from({ length: width + 1 }, (_, day) => ({ name: toDayName(first + day), day }))
      .filter(({ name }) => /[02468]-01-01$/.test(name))
      .map(({ name, day }) => ({ year: name.slice(0, 4), x: Math.round((day / width) * 1000) / 10 })),
    charts: tests.map(({ equity, benchmark, startingCash, firstDay }) => {
      const begins = toDayNumber(firstDay) - first
      const drawBoth = (worth: readonly number[], steps: number) => {
        const falls = computeFalls(worth, startingCash)
        const low = falls.indexOf(Math.max(...falls))
        const reduce = (series: readonly number[]) =>
          reduceSeries(series, steps, [falls.lastIndexOf(0, low), low]).map(({ index, value }) => ({
            index: index + begins,
            value,
          }))
        return {
          worth: drawLine(reduce(worth), placeWorth),
          falls: drawArea(reduce(falls), placeFall, WATER),
        }
      }
      const rule = drawBoth(equity, STEPS)
      const held = drawBoth(benchmark, HELD_STEPS)
      const ends = [equity, benchmark].map((worth) => toPercent(placeWorth(worth.at(-1) ?? startingCash)))
      return {
        paths: { worth: rule.worth, falls: rule.falls, held: held.worth, 'held-falls': held.falls },
        ends: moveApart(ends[0] ?? 0, ends[1] ?? 0),
      }
    }),
  }
}

/** The vertical positions of two texts that must not touch. */
function moveApart(rule: number, held: number): { rule: number; held: number } {
  const missing = Math.max(0, APART - Math.abs(rule - held)) / 2
  const [up, down] = [-missing, missing]
  return rule > held ? { rule: rule + down, held: held + up } : { rule: rule + up, held: held + down }
}

function toPercent(units: number): number {
  return Math.round((units / HEIGHT) * 1000) / 10
}
