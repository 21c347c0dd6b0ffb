import fc from "fast-check";

/** Texts that must be masked, by what they are, and the places in which they stand. */

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const HEX = "0123456789abcdef";
const ALNUM = UPPER + LOWER + DIGITS;
const URL64 = `${ALNUM}_-`;

function of(characters: string, length: number): fc.Arbitrary<string> {
	return fc.string({ unit: fc.constantFrom(...characters), minLength: length, maxLength: length });
}

/** A prefix and random characters; a digit among them, as in nearly all that are made at random. */
function form(prefix: string, characters: string, length: number, suffix = ""): fc.Arbitrary<string> {
	const tail = fc.tuple(
		of(characters, length - 4),
		fc.constantFrom(...DIGITS),
		of(ALNUM.includes(characters[0] ?? "") ? characters : ALNUM, 3),
	);
	return tail.map(
		([one, digit, other]) => `${prefix}${one}${digit}${other.replace(/[-_]/g, characters[0] ?? "a")}${suffix}`,
	);
}

/** A base64url text of some JSON. */
const jwtPart = fc
	.string({ minLength: 5, maxLength: 40 })
	.map((text) => Buffer.from(JSON.stringify({ sub: text })).toString("base64url"));

/** Keys and tokens by the service that gives them out. */
export const KEYS: Readonly<Record<string, fc.Arbitrary<string>>> = {
	anthropic: form("sk-ant-api03-", URL64, 93, "AA"),
	openai: form("sk-", ALNUM, 48),
	openaiProject: form("sk-proj-", URL64, 120),
	openrouter: form("sk-or-v1-", HEX, 64),
	google: form("AIza", URL64, 35),
	googleSecret: form("GOCSPX-", URL64, 28),
	googleToken: form("ya29.", URL64, 120),
	aws: of(`${UPPER}234567`, 16).map((tail) => `AKIA${tail}`),
	awsTemporary: of(`${UPPER}234567`, 16).map((tail) => `ASIA${tail}`),
	github: fc.constantFrom("ghp_", "gho_", "ghu_", "ghs_", "ghr_").chain((prefix) => form(prefix, ALNUM, 36)),
	githubFine: fc.tuple(form("github_pat_", ALNUM, 22), of(ALNUM, 59)).map(([one, other]) => `${one}_${other}`),
	gitlab: form("glpat-", URL64, 20),
	slackBot: fc.tuple(of(DIGITS, 11), of(DIGITS, 12), of(ALNUM, 24)).map((parts) => `xoxb-${parts.join("-")}`),
	slackApp: fc
		.tuple(of(`${UPPER}${DIGITS}`, 11), of(DIGITS, 12), of(HEX, 64))
		.map((parts) => `xapp-1-${parts.join("-")}`),
	slackHook: fc
		.tuple(of(UPPER, 9), of(UPPER, 9), of(ALNUM, 24))
		.map((parts) => `https://hooks.slack.com/services/T${parts.join("/")}`),
	stripe: fc.constantFrom("sk_live_", "sk_test_", "rk_live_").chain((prefix) => form(prefix, ALNUM, 24)),
	npm: form("npm_", ALNUM, 36),
	pypi: form("pypi-AgEIcHlwaS5vcmc", URL64, 120),
	huggingFace: form("hf_", ALNUM, 34),
	groq: form("gsk_", ALNUM, 52),
	xai: form("xai-", ALNUM, 80),
	replicate: form("r8_", ALNUM, 37),
	sendgrid: fc.tuple(of(URL64, 22), of(URL64, 43)).map(([one, other]) => `SG.${one}.${other}`),
	twilio: of(HEX, 32).map((tail) => `SK${tail}`),
	mailgun: of(HEX, 32).map((tail) => `key-${tail}`),
	telegram: fc.tuple(of("123456789", 10), of(URL64, 33)).map(([id, tail]) => `${id}:AA${tail}`),
	digitalOcean: form("dop_v1_", HEX, 64),
	databricks: of(HEX, 32).map((tail) => `dapi${tail}`),
	vault: form("hvs.", ALNUM, 90),
	doppler: form("dp.pt.", ALNUM, 43),
	tailscale: fc.tuple(of(ALNUM, 12), of(ALNUM, 32)).map(([one, other]) => `tskey-auth-${one}-${other}`),
	supabase: form("sbp_", HEX, 40),
	shopify: form("shpat_", HEX, 32),
	linear: form("lin_api_", ALNUM, 40),
	notion: form("ntn_", ALNUM, 46),
	figma: form("figd_", URL64, 43),
	docker: form("dckr_pat_", URL64, 27),
	atlassian: form("ATATT3xFfGF0", URL64, 180),
	newRelic: form("NRAK-", `${UPPER}${DIGITS}`, 27),
	grafana: fc.tuple(of(ALNUM, 32), of(HEX, 8)).map(([one, other]) => `glsa_${one}_${other}`),
	postman: fc.tuple(of(HEX, 24), of(HEX, 34)).map(([one, other]) => `PMAK-${one}-${other}`),
	age: of(`${UPPER}${DIGITS}`, 58).map((tail) => `AGE-SECRET-KEY-1${tail}`),
	jwt: fc.tuple(jwtPart, jwtPart, of(URL64, 43)).map((parts) => parts.join(".")),
	pem: fc.tuple(fc.constantFrom("RSA ", "EC ", "OPENSSH ", ""), of(`${ALNUM}+/`, 300)).map(([kind, body]) => {
		const rows = body.match(/.{1,64}/g)?.join("\n") ?? "";
		return `-----BEGIN ${kind}PRIVATE KEY-----\n${rows}\n-----END ${kind}PRIVATE KEY-----`;
	}),
};

/** Where a key may stand in a session: "@" is the key. */
export const AROUND: readonly string[] = [
	"@",
	"the key is @, use it",
	"export API_KEY=@",
	'const key = "@";',
	"key: '@'",
	'{"apiKey":"@"}',
	'{\\"apiKey\\":\\"@\\"}',
	"first\\n@\\nlast",
	"Authorization: Bearer @",
	"https://api.host.io/v1?key=@&x=1",
	"token%3D@",
	"\u001b[32m@\u001b[0m",
	"`@`",
	"(@)",
	"- @.",
	"+12 \tsecret = @",
];

/** Values that only their names tell, with the whole text around them. */
export const NAMED: readonly (readonly [text: string, secret: string])[] = [
	["DB_PASSWORD=correct-horse-9", "correct-horse-9"],
	["password: ZkVtQlMxWpDaBc", "ZkVtQlMxWpDaBc"],
	["{'api_secret': 'ZkvTqLmXwPdsRbcYfgabcdeF'}", "ZkvTqLmXwPdsRbcYfgabcdeF"],
	["set -x API_TOKEN ZkvTqLmXwPdsRbcYfgabcdeF", "ZkvTqLmXwPdsRbcYfgabcdeF"],
	["openssl enc -aes-256-cbc -k Zk3vT9qLm2XwPd -in a", "Zk3vT9qLm2XwPd"],
	["openssl aes-256-cbc -d -k Zk3vT9qLm2XwPd", "Zk3vT9qLm2XwPd"],
	["Private-Lines: 1\nZk3vT9qLm2XwPd5sRb8cYf1gZk3vT9qLm2XwPd5sRb8cYf1g\nPrivate-MAC: x", "Zk3vT9qLm2XwPd5sRb8"],
	["export POSTGRES_PASSWORD='s3cr3t!x'", "s3cr3t!x"],
	['password: "hunter2!"', "hunter2!"],
	['"password": "Tr0ub4dor&3"', "Tr0ub4dor&3"],
	['{\\"client_secret\\":\\"a81Kd92ksPq0\\"}', "a81Kd92ksPq0"],
	["aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzk82aQ9Lmt", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzk82aQ9Lmt"],
	["AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzk82aQ9Lmt", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzk82aQ9Lmt"],
	["//registry.npmjs.org/:_authToken=0a1b2c3d-aaaa-4bbb-8ccc-123456789abc", "0a1b2c3d-aaaa-4bbb-8ccc-123456789abc"],
	["postgres://app:pa55w0rd@db.internal:5432/app", "pa55w0rd"],
	["redis://:S3cretRedis@10.0.0.4:6379", "S3cretRedis"],
	["https://x-access-token:abcdef0123456789abcd@github.com/a/b.git", "abcdef0123456789abcd"],
	["https://0123456789abcdefABCD@github.com/a/b.git", "0123456789abcdefABCD"],
	["curl -u ada:s3cret99 https://host.io", "s3cret99"],
	["mysql --password=Wh1teRabbit -u root", "Wh1teRabbit"],
	["gh auth login --token 81ab77cdef99", "81ab77cdef99"],
	["sshpass -p 'w0nder!' ssh host", "w0nder!"],
	["-H 'X-Api-Key: 9f8e7d6c5b4a3210'", "9f8e7d6c5b4a3210"],
	["Authorization: Basic YWRhOmh1bnRlcjI=", "YWRhOmh1bnRlcjI="],
	['headers: { Authorization: "Bearer 3f9a7c2e1b8d4f60" }', "3f9a7c2e1b8d4f60"],
	["Cookie: session=9f8e7d6c5b4a; theme=dark", "9f8e7d6c5b4a"],
	["Set-Cookie: sid=s%3AabcDEF123456; Path=/", "s%3AabcDEF123456"],
	[
		"AccountKey=Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9v==;",
		"Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9v==",
	],
	["ada.lovelace@analytical.engine.org wrote", "ada.lovelace@analytical.engine.org"],
	["Signed-off-by: Zoë <zoë@bücher.de>", "zoë@bücher.de"],
	["mailto:bob+tag@mail.co.uk?subject=x", "bob+tag@mail.co.uk"],
	["cat /home/bob/.ssh/config", "/home/bob"],
	["at file:///Users/alice/src/a.ts:3", "/Users/alice"],
	["C:\\Users\\Carol\\code", "C:\\Users\\Carol"],
	['{"cwd":"C:\\\\Users\\\\Carol\\\\code"}', "C:\\\\Users\\\\Carol"],
	["/mnt/c/Users/Carol/code", "/Users/Carol"],
	["first\\n/home/bob/x", "/home/bob"],
	["%2Fhome%2Fbob%2Fx", "bob"],
];

/** What looks like a secret and is none. */
export const INNOCENT: readonly string[] = [
	"commit c0037487f8a1de0b5bd2f0c7d3a7a4b1a7e5f6a9",
	"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	'"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="',
	"0198f3a2-7c1e-7b3a-9d2f-3b1c5e7a9d10",
	"01ARZ3NDEKTSV4RRFFQ69G5FAV",
	"toolu_01A09q90qw90lq917835lq9",
	"call_9f2kLmQ8sD1|fc_68a1b2c3d4e5f60718293a4b5c6d7e8f",
	"msg_01XFDUDYJgAACzvnptvVoYEL req_011CSHoEeqs5C35K2UUqR7Fy",
	"chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
	"fixtures/pi-1.5.2.jsonl#c5200001",
	"const token = lexer.next();",
	"password: getUserPassWordById, token: HttpServerContext",
	"{ secret: 'RgbToHsvByCtx', token: 'isInDbOrNotAtAll' }",
	"openssl s_client -connect host:443 </dev/null | curl -k example.org",
	"openssl enc -d -kfile pass.txt; curl -k host.example",
	"token = parseV2Token",
	"password: string; secret?: string | undefined",
	"if (password === confirmPassword) return;",
	'<input type="password" name="password" placeholder="Your password">',
	'password: "Password is required"',
	"max_tokens=4096, temperature=0.2, totalTokens: 18230",
	'nextPageToken: "CAUQAA1b2c3d4"',
	`API_KEY=$API_KEY TOKEN=${"{TOKEN}"} SECRET=<secret>`,
	"process.env.GITHUB_TOKEN",
	`token: ${"{{ secrets.NPM_TOKEN }}"}`,
	"npm i react@18.2.0 @types/node@24 typescript@next",
	"icon@2x.png actions/checkout@v4 git@github.com:a/b.git",
	"you@example.com noreply@github.com root@localhost",
	"https://example.com/home/about?x=1",
	"sk-circle-fade-dot-animation-delay",
	"the task-0123456789abcdef0123456789 is done",
	"/usr/local/home/x.txt /home /homework/list/a",
	"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABgAAAAQCAIAAACDRijCAAAAUUlEQVR42q3CwRRCAQAF0bf8CCG0",
	"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl",
	'etag W/"5f-Z0cH1q9jY4b2m6Kt" cf-ray 8c1f2e3d4a5b6c7d-FRA',
	"arn:aws:iam::123456789012:role/deploy",
	"docker run --user 1000:1000 -u node:node img",
	"git push -u origin HEAD:main",
	'"sessionId":"0198f3a2-7c1e-7b3a-9d2f-3b1c5e7a9d10"',
	"the password is required, the token is expired, the secret is out",
	"mysql -P 3306 -h db; docker run -p 8080:80 -p 127.0.0.1:5432:5432 mysql",
	"docker compose -p my-project-2 up; mkdir -p a/b2/c",
	"src/app/list.ts:5432:key:value: and config.yml:12:host:port",
	"npm:react@18.2.0/index.js jsr:@std/path@1.0.8 https://esm.sh/react@18.3.1",
	"| token | string | The token of the next page |",
	"setPassword(password) and token(next, 2)",
	"credentials: 'include', cache: 'no-store'",
	"PWD=/srv/app/api2 OLDPWD=/srv/app2",
	"const md5Password = base64Decode2(input1)",
];
