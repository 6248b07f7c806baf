import { useState } from 'react'
import { propose, venueProposal } from '../../../contract/console/proposalBodies.ts'
import { type OperatorVenue, stopTrading } from '../../../contract/console/venue.ts'
import { TextArea, TextField } from '../../../design/Field.tsx'
import { describeNothingDone, OutcomeNotice, type OutcomeWords } from '../cases/Case.tsx'
import { ConfirmedForm, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { type Choice, Decide } from '../cases/Decide.tsx'
import { withFactor } from '../cases/factor.tsx'
import { ReasonForm } from '../cases/ReasonForm.tsx'

interface VenueDecisionsProps {
  venue: OperatorVenue
  onChanged: () => void
}

/** One operator stops trading. Everything else about the exchange takes two. */
export function VenueDecisions({ venue, onChanged }: VenueDecisionsProps) {
  const [outcome, setOutcome] = useState<OutcomeWords | null>(null)
  const handleDone = (words: OutcomeWords) => {
    setOutcome(words)
    onChanged()
  }
  const choices = listVenueChoices(venue, {
    onStopped: () =>
      handleDone({
        tone: 'success',
        title: 'Stopped',
        text: 'No order is sent from now on. Open orders end within a minute.',
      }),
    onProposed: () =>
      handleDone({
        tone: 'success',
        title: 'Proposed',
        text: 'Another operator has to approve it under Proposals.',
      }),
    onOvertaken: (msg) => handleDone(describeNothingDone(msg)),
  })
  return (
    <>
      {outcome !== null && <OutcomeNotice {...outcome} />}
      <Decide key={outcome === null ? 'first' : outcome.title} choices={choices} />
    </>
  )
}

interface Handlers {
  readonly onStopped: () => void
  readonly onProposed: () => void
  readonly onOvertaken: (msg: string) => void
}

function listVenueChoices(venue: OperatorVenue, { onStopped, onProposed, onOvertaken }: Handlers): Choice[] {
  const scopes = [{ scope: 'all', name: 'all trading' }]
  if (venue.venue !== null) scopes.unshift({ scope: venue.venue._id, name: `trading at ${venue.venue.name}` })
  const isStopped = (scope: string) => venue.stops.some((stop) => stop.scope === scope)
  const proposeAct = (
    choice: Pick<Choice, 'label' | 'closed'>,
    body: Readonly<Record<string, string>>,
    what: string,
    consequence: string,
  ): Choice => ({
    ...choice,
    scope: 'operator:proposals.write',
    panel: (onCancel) => (
      <ReasonForm
        row={{ _id: '' }}
        endpoint={propose}
        body={{ kind: 'venue', ...body }}
        what={what}
        hint="Other operators can read it."
        variant="primary"
        consequence={consequence}
        confirmLabel={choice.label}
        onDecided={onProposed}
        onOvertaken={onOvertaken}
        onCancel={onCancel}
      />
    ),
  })
  const stopped = scopes.filter(({ scope }) => isStopped(scope))
  return [
    ...scopes
      .filter(({ scope }) => !isStopped(scope))
      .map(
        ({ scope, name }): Choice => ({
          label: `Stop ${name}`,
          scope: 'operator:strategies.suspend',
          variant: 'danger',
          panel: (onCancel) => (
            <ReasonForm
              row={{ _id: '' }}
              endpoint={stopTrading}
              body={{ scope }}
              hint="Other operators can read it."
              consequence="No order is sent from now on. The strategies keep their holdings. Resuming takes two operators."
              confirmLabel={`Stop ${name}`}
              onDecided={onStopped}
              onOvertaken={onOvertaken}
              onCancel={onCancel}
            />
          ),
        }),
      ),
    ...stopped.map(({ scope, name }) =>
      proposeAct(
        { label: `Propose to resume ${name}` },
        { action: 'resume', scope },
        `Resuming ${name}`,
        'Orders are sent again once another operator approves.',
      ),
    ),
    ...(venue.venue === null
      ? []
      : [
          {
            label: 'Propose a transfer',
            scope: 'operator:proposals.write' as const,
            panel: (onCancel: (() => void) | undefined) => (
              <TransferForm onProposed={onProposed} onCancel={onCancel} />
            ),
          },
        ]),
    ...venue.strategies
      .filter(({ since }) => since === null)
      .map(({ _id, name, conditions }) =>
        proposeAct(
          {
            label: `Propose that ${name} trades with money`,
            // The table lists the conditions that are not met.
            closed: conditions.every(({ met }) => met) ? undefined : CONDITIONS,
          },
          { action: 'trade', strategy: _id },
          `${name} trades with money`,
          `${name} would trade with money at the exchange from its next open on. This cannot be taken back, but it can be suspended.`,
        ),
      ),
    ...venue.strategies
      .filter(({ owes }) => owes !== null)
      .map(({ _id, name }) =>
        proposeAct(
          { label: `Propose to pay the debt of ${name}` },
          { action: 'cover', strategy: _id },
          `Paying the debt of ${name}`,
          'The company pays what the pool owes. Move the money to the exchange as a transfer too.',
        ),
      ),
  ]
}

const CONDITIONS = 'A strategy can trade with money once all its conditions are met.'

function TransferForm({
  onProposed,
  onCancel,
}: {
  onProposed: () => void
  onCancel: (() => void) | undefined
}) {
  const form = useConfirmedForm({
    endpoint: propose,
    schema: venueProposal,
    defaultValues: { kind: 'venue', action: 'transfer' },
    send: withFactor(propose, 'A transfer to or from the exchange'),
    onDone: onProposed,
  })
  const { field } = form
  return (
    <ConfirmedForm
      form={form}
      confirmLabel="Propose the transfer"
      summary={({ asset, quantity }) => (
        <p>
          <strong>
            <span>{quantity}</span> <span>{asset}</span>
          </strong>{' '}
          was moved <span>{String(quantity).startsWith('-') ? 'from' : 'to'}</span> the exchange.
        </p>
      )}
      onCancel={onCancel}
    >
      <TextField label="Asset" hint="usd, or the id of a coin, such as bitcoin." {...field('asset')} />
      <TextField
        label="Quantity"
        inputMode="decimal"
        hint="What arrived at the exchange. Negative for what left it."
        {...field('quantity')}
      />
      <TextArea
        label="Reason"
        rows={3}
        maxLength={500}
        hint="Other operators can read it."
        {...field('reason')}
      />
    </ConfirmedForm>
  )
}
