import { useEffect, useRef, useState } from 'react'
import {
  computeRecipientFingerprint,
  DOCUMENT_MISSING,
  KYC_DOCUMENTS,
  type KycKind,
  listRecipients,
  type Recipient,
  submitKyc,
} from '../../../contract/identity/kyc.ts'
import { CheckboxField } from '../../../design/Field.tsx'
import { FileInput } from '../../../design/FileInput.tsx'
import { Form } from '../../../design/Form.tsx'
import { LoadFailure, Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { toast } from '../../../design/toasts.ts'
import { site } from '../../../site.ts'
import { ApiFailure, createNetworkFailure } from '../../lib/ApiFailure.ts'
import { call } from '../../lib/api.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { useFileField } from '../../lib/fileField.ts'
import { useResource } from '../../lib/resource.ts'
import { SampleOffer } from '../../lib/SampleOffer.tsx'
import { isSample } from '../../lib/samples.ts'
import styles from './Kyc.module.css'
import { CANNOT_ENCRYPT, type Seal, sealOnce, sendDocument } from './sendDocument.ts'

const isSimulated = site.mode === 'simulated'

interface KycFormProps {
  kind: KycKind
  onSent: (isSample: boolean) => void
}

/** Sends a picture of a document, encrypted in the browser if there are reviewer keys. */
export function KycForm({ kind, onSent }: KycFormProps) {
  const words = WORDS[kind]
  const documents = KYC_DOCUMENTS[kind]
  const image = useFileField('image', DOCUMENT_MISSING)
  const keys = useResource('recipients', loadRecipients)
  const [unencrypted, setUnencrypted] = useState<'not offered' | 'offered' | 'agreed'>('not offered')
  const [replaced, setReplaced] = useState<readonly Recipient[]>()
  const recipients = replaced ?? (keys.state === 'ready' ? keys.data : [])
  const hasPicture = ['preparing', 'chosen'].includes(image.input.value.state)
  const seal = useSeal(hasPicture && recipients.length > 0)
  const { shell, field } = useEndpointForm({
    endpoint: submitKyc,
    draft: words.draft,
    defaultValues: { document: documents[0] },
    bodyOf: (values) => ({ ...values, ...(isSample(image.input.value) && { sample: 'true' as const }) }),
    file: image,
    // onFailure shows its own toast for a change of keys.
    explained: [CANNOT_ENCRYPT, 'recipients_changed'],
    send: async (content) => {
      const picture = content.files?.image
      if (picture === undefined || unencrypted === 'agreed') return call(submitKyc, content)
      return sendDocument(picture, recipients, {
        load: async () => {
          const current = await loadRecipients(false)
          setReplaced(current)
          return current
        },
        seal,
        send: (file, sealed) =>
          call(submitKyc, {
            ...content,
            body: {
              document: documents[0],
              ...content.body,
              ...(sealed && { recipients: sealed.fingerprints.join(), pictureHash: sealed.pictureHash }),
            },
            files: { image: file },
          }),
      })
    },
    onFailure: ({ code, msg }) => {
      if (code === CANNOT_ENCRYPT) setUnencrypted('offered')
      if (code === 'recipients_changed') toast.error(msg)
    },
    onDone: () => onSent(isSample(image.input.value)),
  })
  return (
    <Panel title={words.title}>
      <Form {...shell} submitLabel="Submit for Review">
        {isSimulated && (
          <SampleOffer
            sample={words.sample}
            pending={shell.pending}
            onLoaded={(file) => image.input.onChange({ state: 'chosen', file })}
            title="Simulated. Do not upload a real document."
          >
            {words.practice} An operator decides about any other picture.
          </SampleOffer>
        )}
        <SelectField
          label={words.document}
          options={documents.map((document) => ({ value: document, label: document }))}
          {...field('document')}
        />
        <FileInput
          label={isSimulated ? 'Sample picture' : words.picture}
          hint={isSimulated ? 'One file.' : words.hint}
          {...image.input}
        />
        {keys.state === 'failed' && <LoadFailure msg={keys.msg} onRetry={keys.reload} />}
        {recipients.length > 0 && unencrypted === 'not offered' && <EncryptedTo recipients={recipients} />}
        {unencrypted !== 'not offered' && (
          <CannotEncrypt
            isAgreed={unencrypted === 'agreed'}
            onChange={(isAgreed) => setUnencrypted(isAgreed ? 'agreed' : 'offered')}
          />
        )}
      </Form>
    </Panel>
  )
}

const WORDS = {
  identity: {
    title: 'Verify your identity',
    draft: 'kyc',
    document: 'Verification method',
    picture: 'Picture of your passport',
    hint: 'One file: the page with your photograph, with all four corners visible.',
    sample: 'passport',
    practice:
      'Nobody checks your identity here. The practice reviewer approves our sample passport within 20 seconds.',
  },
  address: {
    title: 'Prove your address',
    draft: 'kyc address',
    document: 'Kind of document',
    picture: 'Picture of the document',
    hint: 'One file: the page with your name, your address and the date of issue, at most three months ago.',
    sample: 'bill',
    practice:
      'Nobody checks your address here. The practice reviewer approves our sample bill within 20 seconds.',
  },
} as const satisfies Record<KycKind, Record<string, string>>

/** Offers to send the document without end-to-end encryption. */
function CannotEncrypt({ isAgreed, onChange }: { isAgreed: boolean; onChange: (isAgreed: boolean) => void }) {
  return (
    <>
      <Notice tone="danger" live title="Your browser could not encrypt the document">
        Nothing was sent. Reload the page and try again, or update your browser.
      </Notice>
      <CheckboxField
        label="Send it without end-to-end encryption"
        hint="The connection is encrypted, and our server encrypts the document when it arrives. The server could read it."
        checked={isAgreed}
        onChange={({ target }) => onChange(target.checked)}
      />
    </>
  )
}

/** Computes each fingerprint from the received key, instead of trusting the server. Failures show a toast unless `quiet`. */
async function loadRecipients(quiet = true): Promise<readonly Recipient[]> {
  return Promise.all(
    (await call(listRecipients, { quiet })).map(async (key) => ({
      ...key,
      fingerprint: await computeRecipientFingerprint(key.recipient),
    })),
  )
}

/** Lists the keys and their fingerprints, for investors to compare. */
function EncryptedTo({ recipients }: { recipients: readonly Recipient[] }) {
  return (
    <details className={styles.details}>
      <summary>
        Encrypted in your browser. Can be opened with{' '}
        <span>{recipients.length === 1 ? 'one key' : `${recipients.length} keys`}</span>
      </summary>
      <p>
        Your document leaves your device encrypted. Only these keys decrypt it, and our server has none of
        them. You trust this page to encrypt it. To check the keys, ask us for their fingerprints in another
        way, such as by telephone.
      </p>
      <ul className={styles.keys}>
        {recipients.map(({ recipient, name, fingerprint }) => (
          <li key={recipient}>
            {name}
            <code translate="no" className={styles.fingerprint}>
              {fingerprint}
            </code>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Loads the encryption code when a picture is chosen, so that sending does not wait for it. */
function useSeal(isNeeded: boolean): Seal {
  const sealRef = useRef<Seal>(null)
  useEffect(() => {
    // A load failure is shown when the document is sent.
    if (isNeeded) importSealDocument().catch(() => undefined)
  }, [isNeeded])
  sealRef.current ??= sealOnce(async (picture, recipients) => {
    const { sealDocument } = await importSealDocument().catch((failure: unknown) => {
      if (failure instanceof ApiFailure) toast.error(failure.msg)
      throw failure
    })
    return sealDocument(picture, recipients)
  })
  return sealRef.current
}

async function importSealDocument() {
  try {
    return await import('./sealDocument.ts')
  } catch (error) {
    // A network failure must not lead to the offer to send without encryption.
    if (error instanceof TypeError && /import/i.test(error.message)) throw createNetworkFailure()
    throw error
  }
}
