import { saveFile } from '../../../islands/lib/saveFile.ts'
import { element } from './element.ts'
import { type Fetched, fetchRecord } from './fetchRecord.ts'
import { count } from './figures.ts'
import { readByDay } from './readByDay.ts'
import { recordChart } from './recordChart.ts'
import { recordCourse } from './recordCourse.ts'
import { areDescribed, keptWords, lateWords, verdictOn, wordsOf } from './recordVerdict.ts'

/** Fetches all of a record, computes its hashes again, and shows what came out, with its course if it is one chain. */
export async function checkRecord(place: HTMLElement): Promise<void> {
  const { slug = '', name = '' } = place.dataset
  const says = place.querySelector('.explore [role]')
  const outcome = place.querySelector<HTMLElement>('.outcome')
  if (!says || !outcome) throw new Error('The record has lost a part.')
  outcome.hidden = true
  place.querySelector('figure')?.remove()
  says.textContent = 'Loading the record …'
  const fetched = await fetchRecord(slug, (many) => {
    says.textContent = `Loading the record: ${count(many)} valuations …`
  })
  const { detail, record } = fetched
  const verdict = await verdictOn(fetched)
  const { title, says: found } = wordsOf(verdict, record)
  const heading = element('h3', title)
  heading.tabIndex = -1
  const isChain = verdict.is === 'chain'
  const course = isChain ? recordCourse(name, record, detail.band) : null
  const chart = course && recordChart(course)
  outcome.replaceChildren(
    heading,
    element('p', [found, lateWords(record)].join(' ')),
    element('p', describedWords(detail.definition)),
    ...keepParts(fetched, place.querySelector('button')?.className ?? ''),
  )
  outcome.dataset.is = isChain ? 'match' : verdict.is === 'empty' ? 'empty' : 'other'
  // What it says is what the register says of the record.
  outcome.dataset.claim = 'record-frozen'
  outcome.hidden = false
  if (chart && course) {
    outcome.insertAdjacentElement('afterend', chart)
    readByDay(chart, course)
  }
  heading.focus()
}

function describedWords(definition: unknown): string {
  const onPage = document.querySelector<HTMLElement>('strategy-rerun')?.dataset.definition ?? '{}'
  return areDescribed(definition, onPage)
    ? 'The frozen rules are those that this page describes.'
    : 'The frozen rules are not those that this page describes: its test is one of other rules, and the record is that of the frozen ones.'
}

/** What the check cannot show, and what to keep so that a later one can. */
function keepParts({ detail, record }: Fetched, buttonClass: string): HTMLElement[] {
  const last = record.at(-1)
  const hash = element(
    'p',
    last ? `Newest hash, of the ${last.kind} of ${last.day}: ` : 'Hash of the rules: ',
  )
  hash.appendChild(element('code', last?.hash ?? detail.hash))
  const save = element('button', 'Save a copy')
  save.type = 'button'
  save.className = buttonClass
  save.addEventListener('click', () => {
    const { slug, definition, hash, band } = detail
    const copy = { strategy: slug, fetchedAt: new Date().toISOString(), hash, definition, band, record }
    saveFile(
      `${slug}-record-${last?.day ?? 'empty'}.json`,
      new Blob([JSON.stringify(copy, null, 1)], { type: 'application/json' }),
    )
  })
  const buttons = element('p')
  buttons.appendChild(save)
  return [
    element(
      'p',
      'What this does not show: whoever kept no copy of an earlier hash cannot tell a chain that was made anew as a whole. So keep one: note the newest hash, or save a copy of all that was fetched.',
    ),
    hash,
    buttons,
    ...(record.length > 0 ? keptParts(record) : []),
  ]
}

function keptParts(record: Fetched['record']): HTMLElement[] {
  const label = element('label', 'A hash that you noted earlier')
  const input = element('input')
  input.spellcheck = false
  input.autocomplete = 'off'
  const told = element('p')
  told.role = 'status'
  input.addEventListener('input', () => {
    told.textContent = keptWords(input.value, record)
  })
  label.appendChild(input)
  return [label, told]
}
