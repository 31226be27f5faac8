import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { isCredentialField } from './credentials.ts'
import { toJson } from './json.ts'

const readBack = (value: unknown): unknown => JSON.parse(toJson(value))

const { credentials } = JSON.parse(
  readFileSync(new URL('../../../fixtures/clients/cases.json', import.meta.url), 'utf8'),
) as { readonly credentials: Readonly<Record<'hidden' | 'shown' | 'shownInLists', readonly string[]>> }

it('the names of credentials are those of the Python client', () => {
  for (const name of credentials.hidden) assert.ok(isCredentialField(name), name)
  for (const name of credentials.shown) assert.ok(!isCredentialField(name), name)
  for (const name of credentials.shownInLists) assert.ok(!isCredentialField(name, true), name)
})

class Vault {
  readonly region = 'eu'
  readonly apiKey = 'sk-secret'
  readonly hasToken = true
  readonly token = null
  readonly options = {
    headers: { Authorization: 'Bearer secret', accept: '*/*' },
    password: { old: 'secret' },
  }
  readonly logprobs = [{ token: 'Ly', logprob: -0.1, apiKey: 'sk-secret' }]
  readonly database = 'postgres://app:secret@localhost/app'
}

const shownVault = {
  region: 'eu',
  apiKey: '[left out]',
  hasToken: true,
  token: null,
  options: { headers: { Authorization: '[left out]', accept: '*/*' }, password: '[left out]' },
  logprobs: [{ token: 'Ly', logprob: -0.1, apiKey: '[left out]' }],
  database: 'postgres://app:[left out]@localhost/app',
}

it('credentials of class instances are left out, also in their own serialization', () => {
  assert.deepEqual(readBack(new Vault()), shownVault)
  assert.deepEqual(readBack({ vaults: [new Vault()] }), { vaults: [shownVault] })
  class Document {
    toJSON() {
      return { email: 'ada@example.com', passwordHash: 'shown', password: 'secret' }
    }
  }
  assert.deepEqual(readBack(new Document()), {
    email: 'ada@example.com',
    passwordHash: 'shown',
    password: '[left out]',
  })
  assert.equal(readBack(new URL('https://ada:secret@localhost/a')), 'https://ada:[left out]@localhost/a')
})

it('plain objects are data of the caller, even next to instances', () => {
  const data = { apiKey: 'sk-example', list: [{ password: 'p' }], url: 'https://ada:p@localhost/' }
  assert.deepEqual(readBack(data), data)
  assert.deepEqual(readBack([new Vault(), data]), [shownVault, data])
  assert.deepEqual(readBack(new Map([['token', 'a']])), { token: 'a' })
})

it('clients, pools and other event emitters are only named', () => {
  class Agent extends EventEmitter {
    readonly memory = { apiKey: 'sk-secret' }
  }
  const options = { apiKey: 'sk-secret' }
  const clients = [
    new OpenAI(options),
    new Anthropic(options),
    new GoogleGenAI(options),
    new BedrockRuntimeClient({
      region: 'eu',
      credentials: { accessKeyId: 'a', secretAccessKey: 'sk-secret' },
    }),
    new Agent(),
  ]
  assert.deepEqual(readBack({ clients }), {
    clients: ['[OpenAI]', '[Anthropic]', '[GoogleGenAI]', '[BedrockRuntimeClient]', '[Agent]'],
  })
  // Parts of a client refer to the client.
  assert.ok(!toJson(new OpenAI(options).chat.completions).includes('sk-secret'))
  const command = new ConverseCommand({ modelId: 'amazon.nova-lite-v1:0', messages: [] })
  assert.deepEqual((readBack(command) as { input: unknown }).input, {
    modelId: 'amazon.nova-lite-v1:0',
    messages: [],
  })
})

it('getters of hidden fields are not called', () => {
  const computed: string[] = []
  class Lazy {
    readonly name = 'lazy'
    get headers(): unknown {
      computed.push('headers')
      throw new Error('Not connected.')
    }
    get url(): unknown {
      computed.push('url')
      throw new Error('Not connected.')
    }
  }
  const lazy = Object.defineProperty(new Lazy(), 'secret', {
    enumerable: true,
    get: () => computed.push('secret'),
  })
  assert.deepEqual(readBack(lazy), { name: 'lazy', secret: '[left out]' })
  assert.deepEqual(computed, [])
})
