import { words } from "../../trials.ts"

/** Hosts that are the machine itself, its local network or its cloud, as attackers write them. */
export const SPECIAL_HOSTS = [
  ...words(`
    127.0.0.1 127.0.0.2 127.255.255.255 127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0177.0.0.1 017700000001
    127.0.0.01 127.0.0.1. 127.000.000.001 0 0.0.0.0 0.0 0x0 0.0.0.1 [::1] [0:0:0:0:0:0:0:1]
    [0000:0000:0000:0000:0000:0000:0000:0001] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:7F00:0001]
    [0:0:0:0:0:ffff:7f00:1] [::127.0.0.1] [::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [::ffff:0.0.0.0]
    [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [64:ff9b::a9fe:a9fe] [fe80::1] [FE80::1] [febf::1] [fe80::1%25eth0]
    [fe80::1%eth0] [127.0.0.1] 169.254.169.254 169.254.0.1 169.254.170.2 0xa9fea9fe 2852039166 0251.0376.0251.0376
    100.100.100.200 192.0.0.192 [fd00:ec2::254] [fd00:0ec2::0254] metadata.google.internal METADATA.GOOGLE.INTERNAL
    metadata.google.internal. metadata localhost LOCALHOST LocalHost localhost. ldap.localhost a.b.localhost.
    localhost.localdomain ip6-localhost ip6-loopback localhost4 localhost4.localdomain4 localhost6
    localhost6.localdomain6 metadata.goog instance-data instance-data.ec2.internal 224.0.0.1 239.255.255.250
    255.255.255.255 [ff02::1] [::ffff:224.0.0.1] [fd20:ce::254] [::ffff:0:127.0.0.1]
  `)
]

/** URLs that mean no authentication server, or not one that lenient readers agree on. */
export const MALFORMED = [
  ...words(`
    / // ldaps: ldaps:// ldaps:/// ldaps:///dc=example ldaps:ldap.example.org ldaps:/ldap.example.org
    http://ldap.example.org https://ldap.example.org:636 ldapi://%2Fvar%2Frun%2Fldapi file:///etc/passwd
    gopher://ldap.example.org:636/_x ldapss://ldap.example.org xldaps://ldap.example.org ldaps+x://ldap.example.org
    ldaps://user@ldap.example.org ldaps://user:secret@ldap.example.org ldaps://ldap.example.org@127.0.0.1 user@host
    ldaps://ldap.example.org:0 ldaps://ldap.example.org:65536 ldaps://ldap.example.org:99999 ldaps://ldap.example.org:
    ldaps://ldap.example.org:636636 ldaps://ldap.example.org:636:636 ldaps://ldap.example.org:+636
    ldaps://ldap.example.org:6e2 ldaps://ldap.example.org:-1 ldaps://ldap.example.org:0x27c ldaps://:636
    ldaps://ldap..example.org ldaps://.example.org ldaps://ldap.example.org.. ldaps://ldap%2eexample.org
    ldaps://%6c%6f%63alhost ldaps://ldap.example.org%00 ldaps://ldap.example.org%2f@x ldaps://ldap.example.org#x
    ldaps://ldap.example.org/#x ldaps://ldap.example.org/dc=a#x ldaps://ldap.example.org?uid
    ldaps://ldap.example.org/ou=%00 ldaps://ldap.example.org/% ldaps://ldap.example.org/%zz ldaps://ldap.example.org/%e0%a4%a
    ldaps://ldap.example.org/%ff ldaps://ldap.example.org/?% ldaps://ldap.example.org/?uid,cn
    ldaps://ldap.example.org/?uid=x ldaps://ldap.example.org/?(uid) ldaps://ldap.example.org/?uid%29%28%7c
    ldaps://ldap.example.org/?1a ldaps://ldap.example.org/??subtree ldaps://ldap.example.org/??sub%00
    ldaps://ldap.example.org/???(uid=*) ldaps://ldap.example.org/??sub?(objectClass=*)
    ldaps://ldap.example.org/????!bindname=cn=x ldaps://ldap.example.org/?uid?sub??x ldaps://[::1 ldaps://::1]
    ldaps://::1 ldaps://[::1]x ldaps://[] ldaps://[:::] ldaps://[1::2::3] ldaps://[ldap] ldaps://[abc] ldaps://[dead.beef] ldaps://[::ffff:999.0.0.1]
    ldaps://1.2.3 ldaps://1.2.3.4.5 ldaps://256.1.1.1 ldaps://ldap.example.123 ldaps://ldap.0x1
    ldap.example.org/dc=example ldap.example.org:636/ ldap.example.org?uid ldap.example.org:636:1 -://x
    javascript:alert(1)
  `),
  "",
  " ",
  "ldaps://ldap.example.org:６３６",
  "ldaps://ldap example.org",
  "ldaps://ldap.example.org\n",
  "ldaps://ldap.example.org\r\nX: y",
  "ldaps://ldap.example.org\u0000.evil.test",
  "\tldaps://ldap.example.org",
  "ldaps://lDAP.exämple.org",
  "ldaps://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
  "ldaps://127。0。0。1",
  "ldaps://１２７.0.0.1",
  "ldaps://ldap.example.org/ou=é",
  "ldaps:\\\\ldap.example.org",
  "ldaps://ldap.example.org\\@127.0.0.1"
]
