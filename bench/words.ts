/** What the benchmark's people write with. Words stand in about the order in which English uses them. */

const split = (text: string) => text.trim().split(/\s+/);

export const WORDS = split(`
the of and to a in for is on that by with as was at from it an be are this which or have has had we not but
were their they can all its more one our new into also out who other time than been when up some only over two
about these after first most such through between during each how where both own using used work people under
while made many then them his her would could there what so if no any may well year years small large team part
life number system data design service project research public since three early local often within
change support set open long high group state help full second built build led wrote ran kept found left took
moved taught learned helped brought turned grew became began drew planned tested shipped cut fixed replaced
improved designed developed managed reviewed maintained introduced measured documented automated rewrote
simplified migrated organised published trained hired mentored reported handled followed joined started
every few several half third whole main next last past late later once again still ever never always usually
quickly slowly carefully quietly mostly nearly almost rather quite enough just even far away back down off
company business customer customers user users product products market sales office school university city
country world house home street river harbour ship boat train road bridge garden kitchen library museum
theatre hospital clinic farm factory warehouse shop studio station airport island valley mountain coast forest
water air light sound colour paper wood stone glass metal fire winter summer spring autumn morning evening
night day week month decade hour minute moment season weather storm wind rain snow
software hardware server servers database network code program programs tool tools platform libraries
interface page pages site sites application applications app apps browser device devices phone screen machine
machines model models algorithm algorithms query queries table tables index report reports chart charts map
maps file files record records field fields form forms test tests release releases version versions feature
features bug bugs error errors failure failures cost costs budget price prices value values rate speed size
memory storage cache queue queues stream streams event events log logs metric metrics alert alerts incident
incidents outage outages backup backups security access account accounts key keys password permission policy
process processes step steps plan plans goal goals result results effect effects cause reason question
questions answer answers problem problems solution solutions idea ideas decision decisions meeting meetings
document documents note notes letter letters book books story stories article articles newspaper magazine
language languages word words text texts reader readers writer writers editor editors author photograph
photographs film films music song songs concert festival exhibition gallery art artist artists history
culture education student students teacher teachers course courses class lesson lessons exam degree thesis
science physics chemistry biology mathematics statistics geography economics law medicine health patient
patients doctor nurse care study studies experiment experiments laboratory sample samples measurement
measurements instrument instruments sensor sensors signal signals energy power heat engine engines vehicle
vehicles traffic transport route routes journey distance safety standard standards rule rules contract
contracts order orders delivery deliveries supplier suppliers material materials production quality method
methods practice practices skill skills experience interest interests career job jobs role roles engineer
engineers developer developers designer designers manager managers director analyst consultant volunteer
volunteers member members partner partners client clients neighbour neighbours family families child children
parent parents friend friends colleague colleagues community communities government council ministry agency
organisation organisations charity foundation institute centre department board union society
good better best great simple plain clear clean quiet fast slow cheap expensive reliable fragile careful
honest curious friendly difficult easy hard heavy deep wide narrow short tall old young recent modern
ancient common rare strange familiar useful important serious complex technical practical digital physical
social human natural national international regional rural urban northern southern eastern western central
private commercial independent responsible available possible necessary similar different various single
double daily weekly monthly annual temporary permanent internal external remote original final complete
together apart across along around before behind beside beyond inside outside against without toward upon
because although however therefore instead meanwhile perhaps indeed especially including
write read speak listen teach learn show tell ask think know see look find give take make keep let put bring
carry hold run walk ride sail climb cook paint draw play sing dance swim travel live stay return visit meet
talk call send receive buy sell pay save spend lose win choose decide agree hope want need like love enjoy
understand explain describe compare measure count check repair create connect collect share protect reduce
increase remove add move cover reach pass stop wait watch remember forget
`);

export const FIRST_NAMES = split(`
Maria James Anna John Elena David Sofia Peter Laura Michael Emma Daniel Sara Thomas Julia Robert Nina Paul Eva
Mark Ingrid Simon Clara Jonas Amina Omar Leila Karim Yuki Kenji Mei Wei Priya Arjun Fatima Yusuf Chloe Louis
Camille Hugo Lucia Diego Carmen Pablo Beatriz Joao Marta Tomas Katarina Milan Ivana Marek Zofia Piotr Agnieszka
Lars Astrid Erik Freya Magnus Sigrid Aoife Liam Niamh Sean Bronwen Rhys Hana Ali Zeynep Emre Noor Tariq Grace
Samuel Esther Kofi Ama Chidi Ngozi Thabo Lindiwe Mateo Valentina Santiago Camila Olga Dmitri Irina Viktor
`);

export const LAST_NAMES = split(`
Smith Garcia Muller Jensen Novak Rossi Dubois Silva Kowalski Ivanova Johansson Nielsen Virtanen Papadopoulos
Nagy Popescu Horvat Petrov Yilmaz Cohen Haddad Khan Patel Sharma Nguyen Tran Chen Wang Li Kim Park Tanaka Sato
Suzuki Okafor Mensah Dlamini Abebe Santos Fernandez Lopez Martinez Torres Rivera Murphy Kelly Evans Hughes
Campbell Fraser Walker Wright Baker Carter Fisher Mason Turner Cooper Berg Lindqvist Haugen Dahl Bakker Visser
Peeters Janssens Weber Schneider Fischer Keller Huber Moser Bianchi Ricci Moreau Laurent Girard Fontaine
`);

export const COMPANY_ENDINGS = split(`
Systems Labs Works Partners Analytics Software Studio Logistics Energy Health Media Maps Robotics Networks Group
Press Foods Marine Design Research Instruments Travel Motors Textiles Finance
`);

export const PLACES = split(`
Bergen Lisbon Krakow Dublin Ghent Turin Porto Leipzig Aarhus Tampere Utrecht Lyon Bristol Glasgow Zagreb Brno
Tartu Vilnius Graz Basel Seville Valencia Thessaloniki Izmir Haifa Nairobi Accra Lagos Pune Hanoi Osaka Busan
Taipei Melbourne Wellington Halifax Portland Austin Bogota Santiago
`);

export const COUNTRIES = split(`
Norway Portugal Poland Ireland Belgium Italy Germany Denmark Finland France Scotland Croatia Czechia Estonia
Austria Switzerland Spain Greece Turkey Kenya Ghana Nigeria India Vietnam Japan Korea Australia Canada Chile
`);

export const TECHNOLOGIES = split(`
TypeScript Python PostgreSQL React Docker Kubernetes Go Java Linux SQLite Redis Rust AWS Terraform Node.js GraphQL
Kafka C++ Django Vue Swift Kotlin Bun Figma Elixir Spark Airflow Ansible Grafana Prometheus nginx Ruby Rails PHP
Laravel C# .NET Angular Svelte Playwright MongoDB Elasticsearch Snowflake dbt PyTorch Pandas MATLAB QGIS OpenGL Unity
`);

export const OCCUPATIONS = split(`
Engineer Developer Designer Analyst Consultant Researcher Manager Architect Teacher Editor Administrator Scientist
Technician Writer Coordinator
`);

export const SENIORITY = ["", "Senior", "Lead", "Junior", "Principal", "Assistant"];

export const SUBJECTS = [
  "Mathematics",
  "Computer Science",
  "Physics",
  "Economics",
  "Graphic Design",
  "Linguistics",
  "Mechanical Engineering",
  "History",
  "Biology",
  "Statistics",
  "Geography",
  "Philosophy",
];

export const LINK_LABELS = [
  "My work",
  "Photographs",
  "Newsletter",
  "Talks and slides",
  "Reading list",
  "Music that I make",
  "Buy me a coffee",
  "Open source",
  "Book a call",
  "Recipes",
  "Field notes",
  "Articles",
  "Shop",
  "Podcast",
  "Contact",
  "Press kit",
];
