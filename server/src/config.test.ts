import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { BadConfiguration, readConfig, settings } from './config.ts'

describe('settings', () => {
  it('have their defaults if a variable is absent or empty', () => {
    const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, '']))
    assert.deepEqual(readConfig({}), readConfig(empty))
    const { PORT, PLUMBLINE_DATA_DIR, DATABASE_URL } = readConfig({})
    assert.deepEqual([PORT, PLUMBLINE_DATA_DIR, DATABASE_URL], [4747, resolve('data'), undefined])
  })

  it('are read from the file in NAME_FILE if they are secrets, without the last line break', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'plumbline-')), 'secret')
    writeFileSync(file, 'postgres://user:pass@host/db\n')
    const emptyFile = join(dirname(file), 'empty')
    writeFileSync(emptyFile, ' \n')
    assert.equal(readConfig({ DATABASE_URL_FILE: file }).DATABASE_URL, 'postgres://user:pass@host/db')
    for (const [environment, sentence] of [
      [
        { DATABASE_URL_FILE: `${file}.absent` },
        /^DATABASE_URL cannot be read from DATABASE_URL_FILE .*ENOENT/,
      ],
      [
        { DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://a/b' },
        /^DATABASE_URL and DATABASE_URL_FILE must not/,
      ],
      [
        { PLUMBLINE_SECRET_KEY_FILE: emptyFile },
        /^PLUMBLINE_SECRET_KEY cannot be read from PLUMBLINE_SECRET_KEY_FILE \(.+\): it is empty/,
      ],
    ] as const)
      assert.throws(() => readConfig(environment), { name: 'BadConfiguration', message: sentence })
    rmSync(dirname(file), { recursive: true })
  })

  it('are refused with NAME_FILE if they are not secrets', () => {
    assert.throws(() => readConfig({ S3_REGION_FILE: '/run/secrets/region', MAIL_FROM_FILE: '' }), {
      name: 'BadConfiguration',
      message: 'S3_REGION_FILE is not supported, since only secrets are read from files: set S3_REGION.',
    })
    assert.equal(readConfig({ PORT_FILE: '/run/port' }).PORT, 4747)
  })

  const wrong: Record<string, readonly string[]> = {
    PORT: ['x', '-1', '65536', '1.5'],
    DATABASE_URL: ['mysql://localhost/x', 'localhost'],
    CLICKHOUSE_URL: ['clickhouse://localhost'],
    PLUMBLINE_PUBLIC_URL: ['plumbline.example'],
    SMTP_URL: ['mail.example.com', 'smtp://'],
    OIDC_ISSUER: ['login.example.com', 'https://login.example.com/.well-known/openid-configuration'],
    PLUMBLINE_TRUSTED_PROXIES: ['localhost', 'true', '10.0.0.0/33'],
    PLUMBLINE_MODEL_HOSTS: ['http://a', 'a b', '10.0.0.0/40'],
    PLUMBLINE_CONNECTIONS_MAX: ['0'],
    PLUMBLINE_SPOOL_BYTES_MAX: ['1', '2 GB'],
    PLUMBLINE_RATE_LIMIT_PER_MINUTE: ['-1', ' '],
    PLUMBLINE_FILE_BYTES_MAX: ['0'],
    PLUMBLINE_IMPORT_BYTES_MAX: ['0'],
    S3_BUCKET_URL: ['s3://bucket'],
    PLUMBLINE_PRICES: ['/nowhere/prices.json', tmpdir(), 'ftp://example.com/prices.json'],
    LOG_LEVEL: ['loud'],
  }
  for (const [name, values] of Object.entries(wrong)) {
    it(`refuse an invalid value of ${name} and name the variable`, () => {
      for (const value of values) {
        assert.throws(
          () => readConfig({ [name]: value }),
          (error) => error instanceof BadConfiguration && error.message.startsWith(`${name} must be `),
          value,
        )
      }
    })
  }

  it('refuse a password in the public URL', () => {
    assert.throws(() => readConfig({ PLUMBLINE_PUBLIC_URL: 'https://a:b@plumbline.example' }), {
      message: 'PLUMBLINE_PUBLIC_URL must not have a user name or password.',
    })
  })

  it('report all problems at once, and never print a secret', () => {
    const secret = 'mysql://user:hunter2@localhost/x'
    assert.throws(
      () => readConfig({ PORT: 'x', LOG_LEVEL: 'loud', DATABASE_URL: secret }),
      ({ message }: Error) =>
        ['PORT', 'LOG_LEVEL', 'DATABASE_URL'].every((name) => message.includes(name)) &&
        !message.includes('hunter2'),
    )
  })

  it('for mail need a sender with an address', () => {
    for (const sender of [
      'Plumbline',
      'alerts@',
      'a b@example.com',
      'Plumbline <alerts>',
      'a@example.com\nBcc: b@c.d',
    ])
      assert.throws(
        () => readConfig({ SMTP_URL: 'smtp://mail', MAIL_FROM: sender }),
        /^BadConfiguration: MAIL_FROM must be an address, such as .*\.$/,
        sender,
      )
    for (const sender of ['alerts@example.com', 'Plumbline <alerts@localhost>', '"Plumb, line" <a@b.c>'])
      assert.equal(readConfig({ SMTP_URL: 'smtp://mail', MAIL_FROM: sender }).MAIL_FROM, sender)
  })

  it('for a bucket need its keys', () => {
    assert.throws(
      () => readConfig({ S3_BUCKET_URL: 'https://s3.example/bucket' }),
      /S3_ACCESS_KEY_ID is needed.*\nS3_SECRET_ACCESS_KEY is needed/,
    )
  })

  it('are refused if they have no effect without another setting', () => {
    const values: Record<string, string> = { MAIL_FROM: 'a@example.com', OIDC_ROLE: 'viewer' }
    for (const [name, needed] of [
      ['OIDC_CLIENT_ID', 'OIDC_ISSUER'],
      ['OIDC_CLIENT_SECRET', 'OIDC_ISSUER'],
      ['OIDC_NAME', 'OIDC_ISSUER'],
      ['OIDC_ROLE', 'OIDC_ISSUER'],
      ['S3_REGION', 'S3_BUCKET_URL'],
      ['S3_ACCESS_KEY_ID', 'S3_BUCKET_URL'],
      ['S3_SECRET_ACCESS_KEY', 'S3_BUCKET_URL'],
      ['CLICKHOUSE_CLUSTER', 'CLICKHOUSE_URL'],
      ['MAIL_FROM', 'SMTP_URL'],
    ] as const)
      assert.throws(() => readConfig({ [name]: values[name] ?? 'x' }), {
        name: 'BadConfiguration',
        message: `${needed} is needed when ${name} is set.`,
      })
  })

  it('are not reported as missing if their value is invalid', () => {
    const environment = { MAIL_FROM: 'a@example.com', SMTP_URL: 'nowhere' }
    assert.throws(() => readConfig(environment), { message: /^SMTP_URL must [^\n]*$/ })
  })

  it('name a price list by a readable file or by a URL', () => {
    for (const list of [import.meta.filename, 'https://example.com/prices.json'])
      assert.equal(readConfig({ PLUMBLINE_PRICES: list }).PLUMBLINE_PRICES, list)
  })
})
