import { Printer } from 'lucide-react'
import {
  getStatement,
  MOST_STATEMENT_ENTRIES,
  type Statement as StatementData,
} from '../../../contract/money/statements.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { Button } from '../../../design/Button.tsx'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { site } from '../../../site.ts'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { call, callBlob } from '../../lib/api.ts'
import { Loaded } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { SaveCsv } from '../../lib/SaveCsv.tsx'
import { setSearchParams, useSearchParams } from '../../lib/url.ts'
import { isUnfinished, listNamedPeriods, type Period, parsePeriod } from './periods.ts'
import styles from './Statement.module.css'
import { StatementSheet } from './StatementSheet.tsx'

export const Statement = withErrorBoundary(Screen, '/dashboard/overview')

function Screen() {
  // Null on the server: only the browser knows the current month.
  const words = useSearchParams()
  const period = words === null ? null : parsePeriod(words, Date.now())
  const isBackwards = period !== null && period.from !== '' && period.to !== '' && period.from > period.to
  const isValid = period !== null && !isBackwards && !isUnfinished(period)
  const key = isValid ? `statement ${period.from} ${period.to}` : null
  const statement = useResource(key, () => loadStatement(period ?? {}))
  const days = [period?.from, period?.to].filter((day) => day !== undefined && day !== '')
  return (
    <div className={styles.screen}>
      <search className={styles.choice} aria-label="Choose the period">
        <Choice period={period} problem={isBackwards ? 'The last day comes before the first' : undefined} />
        <div className={styles.actions}>
          <Button
            disabled={!isValid}
            onClick={() => window.print()}
            icon={<Printer aria-hidden="true" size={16} />}
          >
            Print
          </Button>
          <SaveCsv
            label="Save as CSV"
            disabled={!isValid}
            buildName={() => [site.slug, 'statement', ...days].join('-')}
            load={() =>
              callBlob(getStatement, {
                query: { from: period?.from, to: period?.to, format: 'csv' },
                quiet: false,
              })
            }
          />
        </div>
      </search>
      {!isBackwards && (
        <Loaded resource={statement} waiting={<StatementSheet statement={null} />}>
          {(data) => (data === 'too long' ? <TooLong /> : <StatementSheet statement={data} />)}
        </Loaded>
      )}
    </div>
  )
}

async function loadStatement(period: Partial<Period>): Promise<StatementData | 'too long'> {
  try {
    return await call(getStatement, { query: { from: period.from, to: period.to } })
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.code === 'too_many_entries') return 'too long'
    throw failure
  }
}

function Choice({ period, problem }: { period: Period | null; problem: string | undefined }) {
  const named = period === null ? [] : listNamedPeriods(Date.now())
  const chosen = named.find(({ from, to }) => from === period?.from && to === period.to)
  const setPeriod = ({ from, to }: Period) => setSearchParams({ from, to })
  const buildDayField = (edge: keyof Period) => ({
    type: 'date',
    value: period?.[edge] ?? '',
    onChange: ({ target }: { target: { value: string } }) =>
      setPeriod({ from: '', to: '', ...period, [edge]: target.value }),
  })
  return (
    <>
      <div className={styles.period}>
        <SelectField
          label="Period"
          value={chosen?.name ?? ''}
          placeholder="Other days"
          options={named.map(({ name }) => ({ value: name, label: name }))}
          onChange={({ target }) => {
            const period = named.find(({ name }) => name === target.value)
            if (period !== undefined) setPeriod(period)
          }}
        />
      </div>
      <TextField label="From" {...buildDayField('from')} />
      <TextField label="To" {...buildDayField('to')} error={problem} />
    </>
  )
}

function TooLong() {
  return (
    <Notice title={`More than ${formatNumber(MOST_STATEMENT_ENTRIES)} entries`} live>
      That is too many for one page. Choose a shorter period, or save this one as CSV, which has every entry.
    </Notice>
  )
}
