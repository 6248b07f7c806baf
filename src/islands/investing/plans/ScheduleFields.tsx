import { listNextDates, type Rhythm } from '../../../contract/investing/planDates.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { CheckboxField, TextField } from '../../../design/Field.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import type { FieldAttributes } from '../../lib/form.ts'
import type { FieldValue } from '../../lib/formControls.ts'
import { getServerNow } from '../../lib/serverTime.ts'
import styles from './Plans.module.css'
import { readSchedule } from './planForm.ts'
import { describeRhythm, isLastOfMonth } from './words.ts'

type ScheduleName = 'rhythm' | 'starts' | 'last'

export interface ScheduleFieldsProps {
  field: (name: ScheduleName) => FieldAttributes
  form: { watch: (name: ScheduleName) => FieldValue }
}

const RHYTHM_OPTIONS: readonly { value: Rhythm; label: string }[] = [
  { value: 'weekly', label: 'Every week' },
  { value: 'monthly', label: 'Every month' },
  { value: 'quarterly', label: 'Every 3 months' },
  { value: 'yearly', label: 'Every year' },
]

export function ScheduleFields({ field, form }: ScheduleFieldsProps) {
  const rhythm = form.watch('rhythm')
  const starts = String(form.watch('starts') ?? '')
  const hasMonths = rhythm === 'monthly' || rhythm === 'quarterly'
  return (
    <div className={styles.fields}>
      <SelectField label="How often" options={RHYTHM_OPTIONS} {...field('rhythm')} />
      <TextField label="First date" type="date" max="2099-12-31" {...field('starts')} />
      {hasMonths && isLastOfMonth(starts) && (
        <CheckboxField label="On the last day of each month" {...field('last')} />
      )}
    </div>
  )
}

/** The schedule of a form, or null while the first date is missing or wrong. */
export function watchSchedule({ watch }: ScheduleFieldsProps['form'], zone?: string) {
  const typed = { rhythm: watch('rhythm'), starts: watch('starts'), last: watch('last') }
  const schedule = { ...readSchedule(typed), ...(zone !== undefined && { zone }) }
  return /^20\d\d-\d\d-\d\d$/.test(schedule.starts) ? schedule : null
}

interface NextDatesProps {
  schedule: NonNullable<ReturnType<typeof watchSchedule>>
  /** The plan's action on each of them; null until enough is typed. */
  does: string | null
  /** The dates are in the investor's own calendar: nobody announces or skips them. */
  isReminder?: boolean
}

/** The next three dates that the plan would have, before it is saved. */
export function NextDates({ schedule, does, isReminder = false }: NextDatesProps) {
  return (
    <section className={styles.preview} aria-label="The next three dates">
      <p>
        <strong>The next three dates</strong>, <span>{describeRhythm(schedule)}</span>
      </p>
      <ol>
        {listNextDates(schedule, getServerNow()).map(({ on, atMs }) => (
          <li key={on}>
            <DateTime at={new Date(atMs).toISOString()} timeZone={schedule.zone} />
            {does !== null && <span>: {does}</span>}
          </li>
        ))}
      </ol>
      <p className="small soft">
        At 9:00 in your time zone, <span translate="no">{schedule.zone}</span>.{' '}
        <span>
          {!isReminder &&
            'We announce each date by e-mail at least 24 hours before. You can skip it until then.'}
        </span>
      </p>
    </section>
  )
}
