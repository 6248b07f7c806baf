import { useState } from 'react'
import * as z from 'zod/mini'
import { CHAIN_LABELS } from '../../../contract/console/coinWords.ts'
import { propose } from '../../../contract/console/proposalBodies.ts'
import { requireNoPrivateKey } from '../../../contract/console/watchFields.ts'
import { challengeWatchWallet, type WatchWallet } from '../../../contract/console/watchWallets.ts'
import type { AnswerOf } from '../../../contract/endpoint.ts'
import { CHAINS, type Chain } from '../../../contract/money/payments.ts'
import { Copied, Grouped } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { TextArea } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { CancelButton, ConfirmedForm, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import styles from '../cases/cases.module.css'
import { withFactor } from '../cases/factor.tsx'
import { HardwareWarnings } from '../cases/HardwareWarnings.tsx'
import type { NewRowProps } from '../cases/queueKind.ts'
import { describeSigner } from './watchWords.ts'

type Challenge = AnswerOf<typeof challengeWatchWallet>

/** First the descriptor, then a signature of each of its keys and the reason. */
export function ProposeWatchWallet({ queue, onDone, onCancel }: NewRowProps<WatchWallet>) {
  const wallets = queue.data.state === 'ready' ? queue.data.rows : []
  const [issued, setIssued] = useState<{ chain: Chain; challenge: Challenge } | null>(null)
  return issued === null ? (
    <EnterDescriptor
      taken={wallets.flatMap(({ active, chain }) => (active ? [chain] : []))}
      onIssued={(chain, challenge) => setIssued({ chain, challenge })}
      onCancel={onCancel}
    />
  ) : (
    <SignAndPropose {...issued} onDone={onDone} onCancel={() => setIssued(null)} />
  )
}

interface EnterDescriptorProps {
  /** The chains that have an active wallet. Each has one at most. */
  taken: readonly Chain[]
  onCancel: () => void
  onIssued: (chain: Chain, challenge: Challenge) => void
}

function EnterDescriptor({ taken, onIssued, onCancel }: EnterDescriptorProps) {
  const { shell, field, form } = useEndpointForm({
    endpoint: challengeWatchWallet,
    defaultValues: { chain: CHAINS.find((chain) => !taken.includes(chain)) },
    failures: 'form',
    onDone: (challenge, { chain }) => onIssued(chain, challenge),
  })
  const isBitcoin = form.watch('chain') !== 'ethereum'
  return (
    <Form
      {...shell}
      submitLabel="Get the message to sign"
      actions={<CancelButton hidden={shell.pending} onClick={onCancel} />}
    >
      <p>
        A watch-only wallet contains public keys only. The platform derives an address for each investor from
        it, and observes what arrives. It cannot spend.
      </p>
      <RadioGroup
        label="Chain"
        options={CHAINS.map((value) => ({
          value,
          label: CHAIN_LABELS[value],
          disabled: taken.includes(value),
          hint: taken.includes(value) ? 'Retire its active wallet first.' : undefined,
        }))}
        {...field('chain')}
      />
      <TextArea
        label={isBitcoin ? 'Output descriptor' : 'Public key of the account'}
        hint={
          isBitcoin
            ? 'Export it from the wallet’s software: wpkh(…), tr(…) or wsh(sortedmulti(…)). Never enter words or a private key.'
            : 'The extended public key (xpub) of the account. Never enter words or a private key.'
        }
        rows={4}
        maxLength={4000}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...field('descriptor')}
      />
    </Form>
  )
}

interface SignAndProposeProps extends Omit<NewRowProps<WatchWallet>, 'queue'> {
  chain: Chain
  challenge: Challenge
}

function SignAndPropose({ chain, challenge, onDone, onCancel }: SignAndProposeProps) {
  const { descriptor, message, signers, addresses, warnings, expiresAt } = challenge
  const form = useConfirmedForm({
    endpoint: propose,
    schema: buildSignedSchema(signers.length),
    send: withFactor(propose, `A watch-only wallet on ${CHAIN_LABELS[chain]}`),
    bodyOf: (values) => ({
      kind: 'watch_wallet' as const,
      chain,
      descriptor,
      message,
      signatures: signers.map((_, place) => String(values[buildSignatureName(place)] ?? '')),
      reason: String(values.reason ?? ''),
    }),
    onDone: () => onDone('Proposed. Another administrator decides under Proposals.'),
  })
  return (
    <ConfirmedForm
      form={form}
      confirmLabel="Propose the wallet"
      summary={() => (
        <>
          <p>
            Each investor would get their own address on <strong>{CHAIN_LABELS[chain]}</strong> from this
            wallet, and what arrives is credited once the chain proves it. Another administrator approves it
            first.
          </p>
          <FirstAddresses addresses={addresses} />
        </>
      )}
      onCancel={onCancel}
    >
      <section className={styles.part} aria-labelledby="canonical">
        <h3 id="canonical">1. Compare</h3>
        <p>We understand it as</p>
        <Copied text={descriptor} what="descriptor" />
        <HardwareWarnings warnings={warnings} />
        <FirstAddresses addresses={addresses} />
      </section>
      <section className={styles.part} aria-labelledby="sign">
        <h3 id="sign">2. Sign</h3>
        <p>
          Sign exactly this line with{' '}
          <span>{signers.length === 1 ? 'the key' : `each of the ${signers.length} keys`}</span>, before{' '}
          <DateTime at={expiresAt} />:
        </p>
        <Copied text={message} what="message to sign" />
        {signers.map((signer, place) => (
          <div key={signer.key} className={styles.part}>
            <p>{describeSigner(signer, signers.length)}</p>
            <Copied text={signer.address} what="address that signs" />
            <TextArea
              label={signers.length === 1 ? 'Signature' : `Signature of key ${signer.key + 1}`}
              hint="Copy it from the wallet, in one piece."
              rows={2}
              maxLength={1000}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...form.field(buildSignatureName(place))}
            />
          </div>
        ))}
      </section>
      <TextArea label="Reason" rows={2} maxLength={500} {...form.field('reason')} />
    </ConfirmedForm>
  )
}

function FirstAddresses({ addresses }: { addresses: readonly string[] }) {
  return (
    <>
      <p>Its first addresses. Compare them with those that the wallet’s own software shows:</p>
      <ol>
        {addresses.map((address) => (
          <li key={address}>
            <Grouped text={address} />
          </li>
        ))}
      </ol>
    </>
  )
}

function buildSignatureName(place: number): string {
  return `signature${place}`
}

/** The reason, and a signature of each key. */
function buildSignedSchema(count: number) {
  const fields: Record<string, ReturnType<typeof requireNoPrivateKey>> = {
    reason: requireNoPrivateKey('Please give a reason', 500),
  }
  for (let place = 0; place < count; place++)
    fields[buildSignatureName(place)] = requireNoPrivateKey('Please give the signature', 1_000)
  return z.object(fields)
}
