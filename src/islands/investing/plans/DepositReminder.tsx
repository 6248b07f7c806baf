import * as z from 'zod/mini'
import { buildCalendar } from '../../../contract/investing/calendar.ts'
import { scheduleFields } from '../../../contract/investing/plans.ts'
import { formatUsd, parseUsd, toUsd } from '../../../contract/money.ts'
import { Form } from '../../../design/Form.tsx'
import { MoneyField } from '../../../design/MoneyField.tsx'
import { site } from '../../../site.ts'
import { useForm } from '../../lib/form.ts'
import { saveFile } from '../../lib/saveFile.ts'
import { getServerNow } from '../../lib/serverTime.ts'
import { getDefaultStart, readSchedule } from './planForm.ts'
import { NextDates, ScheduleFields, watchSchedule } from './ScheduleFields.tsx'

const AMOUNT_WRONG = 'Please give an amount in USD above zero, with at most two decimals, like 1500.50'

const reminderForm = z
  .object({
    amount: z.optional(z.string()),
    rhythm: z.optional(z.string()),
    starts: z.optional(z.string()),
    last: z.optional(z.boolean()),
  })
  .check(({ value, issues }) => {
    if (parseUsd(value.amount ?? '') === null)
      issues.push({ code: 'custom', message: AMOUNT_WRONG, path: ['amount'], input: value })
    for (const { message } of scheduleFields.safeParse(readSchedule(value)).error?.issues ?? [])
      issues.push({ code: 'custom', message, path: ['starts'], input: value })
  })

/** Coins are sent by their owner, so a deposit can only be remembered: a file for the investor's own calendar. */
export function DepositReminder() {
  const form = useForm<typeof reminderForm>(reminderForm, {
    rhythm: 'monthly',
    starts: getDefaultStart(),
  })
  const cents = parseUsd(String(form.watch('amount') ?? ''))
  const does = cents === null ? null : `Deposit ${formatUsd(toUsd(cents))}`
  const schedule = watchSchedule(form)
  const save = form.handleSubmit((values) => {
    const title = `${does ?? 'Deposit'} to ${site.brand}`
    const planned = readSchedule(values)
    const file = buildCalendar(
      {
        id: `deposit-${planned.rhythm}-${planned.starts}`,
        title,
        description: `Open ${site.origin}/dashboard/deposit, choose a coin, and send coins of that value to the address that it shows then. We cannot pull coins from your wallet: nothing arrives unless you send it.`,
        schedule: planned,
      },
      new URL(site.origin).hostname,
      getServerNow(),
    )
    saveFile(`${site.slug}-deposit.ics`, new Blob([file], { type: 'text/calendar' }))
  })
  return (
    <Form
      onSubmit={save}
      pending={form.pending}
      formError={null}
      label="Deposit reminder"
      submitLabel="Save Calendar File"
    >
      <p>
        We cannot pull coins from your wallet. Nothing arrives unless you send it, so this makes a reminder
        for your own calendar. On each date, open <a href="/dashboard/deposit">Deposit</a>, choose a coin, and
        send coins of that value to the address that it shows then.
      </p>
      <MoneyField label="Amount in USD" {...form.field('amount')} />
      <ScheduleFields field={form.field} form={form} />
      {schedule !== null && <NextDates schedule={schedule} does={does} isReminder />}
    </Form>
  )
}
