import type { Backtest, Figures } from '../../../../engine/backtest/backtestResult.ts'
import { COST_MULTIPLES } from '../../../../engine/definition.ts'
import { createElement, renderFiguresTable, wrapInScroll } from './element.ts'
import { count, formatPeriod, formatSignedPercent, listPrintedFigures, NONE, ROWS } from './figures.ts'
import { computeHeatLevels, describeSweep } from './heatMap.ts'
import type { RerunDone as Done } from './rerun.worker.ts'

/** More differences than this are only counted. */
const MOST_LISTED = 8

/** Shows whether the figures match the page, or compares the figures of changed parameters with it. */
export function showOutcome(place: HTMLElement, done: Done, tries: number): void {
  const heading = createElement('h3', getOutcomeTitle(done))
  heading.tabIndex = -1
  place.replaceChildren(
    heading,
    ...renderWrongFiles(done),
    ...(done.differences === null
      ? renderChangedTest(done, tries)
      : renderComparison(done, done.differences)),
  )
  place.dataset.is = done.differences === null ? 'changed' : isMatch(done) ? 'match' : 'other'
  place.hidden = false
  heading.focus()
}

function getOutcomeTitle(done: Done): string {
  if (done.differences === null) return 'With your parameters'
  return isMatch(done) ? 'It matches' : 'It does not match'
}

function isMatch({ differences, files, backtest }: Done): boolean {
  return (
    differences?.length === 0 &&
    files.every(({ isAsPublished }) => isAsPublished) &&
    findDifferences(backtest).length === 0
  )
}

function renderComparison(done: Done, differences: readonly string[]): HTMLElement[] {
  const { backtest, ms } = done
  const others = findDifferences(backtest)
  const took = `in ${(ms / 1000).toFixed(1)} seconds`
  if (isMatch(done)) {
    return [
      createElement(
        'p',
        `Your browser recomputed this backtest ${took}. All ${count(readPageFigures().length)} figures on this page came out the same, and so did the value on each of the ${count(backtest.days)} days behind them.`,
      ),
      createElement('p', 'This shows how the figures were computed. It does not show that they will repeat.'),
    ]
  }
  const listed = others
    .slice(0, MOST_LISTED)
    .map(({ label, printed, computed }) => `${label}: the page says ${printed}, your browser ${computed}.`)
  const more = others.length > MOST_LISTED ? [`And ${others.length - MOST_LISTED} more.`] : []
  return [
    createElement(
      'p',
      `Your browser recomputed this backtest ${took}. ${count(others.length)} of the ${count(readPageFigures().length)} figures on this page came out differently, and so did ${count(differences.length)} of the values behind them.`,
    ),
    createElement('ul', ...[...listed, ...more].map((words) => createElement('li', words))),
    createElement(
      'p',
      'Reload the page, because your browser may have an old copy of a file. If the result is the same, please write to support.',
    ),
  ]
}

function renderWrongFiles({ files }: Done): HTMLElement[] {
  return files
    .filter(({ isAsPublished }) => !isAsPublished)
    .map(({ path, sha256 }) =>
      createElement(
        'p',
        `${path} does not match the published hash. The file that was loaded has the SHA-256 ${sha256}.`,
      ),
    )
}

/** The figures of the page that the new backtest does not confirm. */
function findDifferences(backtest: Backtest) {
  const own = new Map(listPrintedFigures(backtest).map((figure) => [figure.key, figure]))
  return readPageFigures().flatMap(({ key, text }) => {
    const computed = own.get(key)
    if (computed?.text === text) return []
    return [{ label: computed?.label ?? key, printed: text, computed: computed?.text ?? NONE }]
  })
}

function readPageFigures(): { key: string; text: string }[] {
  return [...document.querySelectorAll<HTMLElement>('[data-figure]')].map((place) => ({
    key: place.dataset.figure ?? '',
    text: place.textContent.trim(),
  }))
}

const SHOWN = ROWS.filter(({ of }) => ['maximumDrawdown', 'totalReturn', 'sharpe'].includes(of))

function renderChangedTest({ backtest, published, ms }: Done, tries: number): HTMLElement[] {
  const { firstDay, lastDay, days, holdOut } = backtest
  const onPage = new Map(listPrintedFigures(published).map(({ key, text }) => [key, text]))
  const rows: [string, string, Figures][] = COST_MULTIPLES.flatMap((multiple) => {
    const found = backtest.atCosts.find((costResult) => costResult.multiple === multiple)
    return found === undefined ? [] : [[`Costs ×${multiple}`, `x${multiple}`, found.figures]]
  })
  if (holdOut !== null) rows.push(['Out of sample, ×1', 'held-out', holdOut.figures])
  return [
    createElement(
      'p',
      'This is not the strategy that the platform runs. Its parameters are frozen, and nobody can invest in your version.',
    ),
    renderFiguresTable(
      'Your figures',
      `${formatPeriod({ firstDay, lastDay })} (${count(days)} days), after costs. In brackets: the page’s.`,
      ['', ...SHOWN.map(({ label }) => label)],
      rows.map(([label, key, figures]) => [
        label,
        ...SHOWN.map(({ of, text }) => `${text(figures)} (${onPage.get(`${key}-${of}`) ?? NONE})`),
      ]),
    ),
    createElement(
      'p',
      `${tries === 1 ? 'This is your first try' : `These are the results of your try number ${tries}`} on this page. The best of many tries looks good by luck alone, and luck does not repeat. The more values you try, the less the best result means.`,
    ),
    ...renderSweep(backtest),
    createElement('p', `Computed in this browser, in ${(ms / 1000).toFixed(1)} seconds.`),
  ]
}

/** The heat map around the visitor’s parameters. */
function renderSweep({ overfit, definition }: Backtest): HTMLElement[] {
  const sweep = overfit?.sweep ?? null
  if (sweep === null) return []
  const { x, y, xs, ys, returns } = sweep
  const levels = computeHeatLevels(returns)
  const body = returns.map((row, index) => {
    const cells = row.map((value, column) => {
      const cell = createElement('td', value === null ? NONE : formatSignedPercent(value))
      cell.className = `h${levels[index]?.[column] ?? 0}`
      const isOwn = xs[column] === definition.values[x] && (y === null || ys[index] === definition.values[y])
      if (isOwn) cell.dataset.own = ''
      return cell
    })
    return createElement('tr', ...(y === null ? [] : [createElement('th', String(ys[index]))]), ...cells)
  })
  const head = createElement(
    'tr',
    ...(y === null ? [] : [createElement('td')]),
    ...xs.map((value) => createElement('th', String(value))),
  )
  const table = createElement('table', createElement('thead', head), createElement('tbody', ...body))
  table.className = 'heat'
  const down = y === null ? '' : ` (across) and “${getParameterLabel(y)}” (down)`
  return [
    createElement(
      'p',
      `The return before the out-of-sample period with other values of “${getParameterLabel(x)}”${down}. Yours is outlined. ${describeSweep(returns)}`,
    ),
    wrapInScroll('Returns around your parameters', table),
  ]
}

function getParameterLabel(parameter: string): string {
  return (
    document.querySelector(`strategy-rerun [name="${parameter}"]`)?.previousElementSibling?.textContent ??
    parameter
  )
}
