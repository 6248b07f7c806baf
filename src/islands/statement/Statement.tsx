import { Download, Printer } from 'lucide-react'
import { useEffect, useState } from 'react'
import { getStatement, type Statement as StatementData } from '../../contract/statements.ts'
import { Button } from '../../design/Button.tsx'
import { ErrorBoundary } from '../../design/ErrorBoundary.tsx'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { Panel } from '../../design/Panel.tsx'
import { SelectField } from '../../design/SelectField.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { TextField } from '../../design/TextField.tsx'
import { site } from '../../site.ts'
import { useAction } from '../lib/action.ts'
import { call, callBlob } from '../lib/api.ts'
import { useResource } from '../lib/resource.ts'
import { saveFile } from '../lib/saveFile.ts'
import { PERIOD_LABELS, PERIODS, type Period, periodOf } from './periods.ts'
import styles from './Statement.module.css'
import { StatementSheet } from './StatementSheet.tsx'

/** The books over a period, to read, to print and to keep as a file. */
export function Statement() {
  return (
    <ErrorBoundary home="/dashboard/overview">
      <Screen />
    </ErrorBoundary>
  )
}

function Screen() {
  const [period, setPeriod] = useState<Period | null>(null)
  // Which month it is, only the browser knows: the page was built earlier.
  useEffect(() => setPeriod(periodOf('this-month', Date.now())), [])
  const problem = period && period.from !== '' && period.to !== '' && period.from > period.to
  const key = period === null || problem ? null : `statement ${period.from} ${period.to}`
  const statement = useResource(key, () => call(getStatement, { query: period ?? {} }))
  return (
    <div className={styles.screen}>
      <Choice
        period={period}
        problem={problem ? 'The last day comes before the first' : undefined}
        onChange={setPeriod}
      />
      {statement.state === 'failed' ? (
        <LoadFailure msg={statement.msg} onRetry={statement.reload} />
      ) : (
        <Sheet statement={statement.state === 'ready' && !problem ? statement.data : null} />
      )}
    </div>
  )
}

interface ChoiceProps {
  period: Period | null
  problem: string | undefined
  onChange: (period: Period) => void
}

function Choice({ period, problem, onChange }: ChoiceProps) {
  const csv = useAction(async () => {
    const file = await callBlob(getStatement, { query: { ...period, format: 'csv' }, quiet: false })
    const days = [period?.from, period?.to].filter((day) => day !== undefined && day !== '')
    saveFile([site.brand.toLowerCase(), 'statement', ...days].join('-').concat('.csv'), file)
  })
  const day = (edge: keyof Period) => ({
    type: 'date',
    value: period?.[edge] ?? '',
    onChange: ({ target }: { target: { value: string } }) =>
      onChange({ from: '', to: '', ...period, [edge]: target.value }),
  })
  return (
    <search className={styles.choice} aria-label="Choose the period">
      <SelectField
        label="Period"
        value={nameOf(period)}
        placeholder="Other days"
        options={PERIODS.map((value) => ({ value, label: PERIOD_LABELS[value] }))}
        onChange={({ target }) => {
          const name = PERIODS.find((each) => each === target.value)
          if (name !== undefined) onChange(periodOf(name, Date.now()))
        }}
      />
      <TextField label="From" {...day('from')} />
      <TextField label="To" {...day('to')} error={problem} />
      <div className={styles.actions}>
        <Button onClick={() => window.print()} icon={<Printer aria-hidden="true" size={16} />}>
          Print
        </Button>
        <Button busy={csv.busy} onClick={csv.start} icon={<Download aria-hidden="true" size={16} />}>
          Save as CSV
        </Button>
      </div>
    </search>
  )
}

function nameOf(period: Period | null): string {
  if (period === null) return 'this-month'
  const now = Date.now()
  return (
    PERIODS.find((name) => {
      const { from, to } = periodOf(name, now)
      return from === period.from && to === period.to
    }) ?? ''
  )
}

function Sheet({ statement }: { statement: StatementData | null }) {
  if (statement !== null) return <StatementSheet statement={statement} />
  return (
    <Panel>
      <Skeleton width="long" />
      <Skeleton height="block" />
    </Panel>
  )
}
