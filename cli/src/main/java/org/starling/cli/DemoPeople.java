package org.starling.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * A network of friends for the demo: people who don't exist, always the same ones. Newcomers make
 * friends in their town, mostly with those who have many, with friends of friends, and now and then
 * far away; so degrees are uneven, friends know each other, and towns are communities. Confined to
 * one thread.
 */
final class DemoPeople {
    static final int PEOPLE = 1_500;

    private static final long SEED = 25;
    private static final int FRIENDS = 6;
    private static final int FIRST_YEAR = 1990;
    private static final int YEARS = 35;
    private static final int LEAST_AGE = 18;
    private static final int AGES = 70;
    private static final double NEAR = 0.7;
    private static final double KNOWN = 0.93;

    private static final List<String> FIRST =
            names(
                    """
                    Ada, Aiko, Amal, Ana, Anders, Arjun, Aylin, Björn, Carla, Chen, Chloé,
                    Dalia, David, Elif, Emeka, Eva, Farid, Fiona, Grace, Hana, Hugo, Inês, Ivan,
                    Jonas, José, Kofi, Lara, Leo, Lin, Lucía, Malik, Marta, Mei, Milan, Nadia,
                    Noah, Nora, Olga, Omar, Paul, Priya, Rosa, Sami, Sofia, Tariq, Tomás, Yuki,
                    Zoë
                    """);

    private static final List<String> LAST =
            names(
                    """
                    Abara, Adler, Bakker, Bell, Bianchi, Bondar, Braun, Castro, Cohen, Costa,
                    Demir, Diaz, Dubois, Eriksen, Fall, Fischer, Flores, García, Greco, Haddad,
                    Hansen, Horvat, Ito, Jansen, Joshi, Kamara, Kaya, Keller, Kim, Kovács,
                    Kowalski, Lange, Larsen, Lopez, Mensah, Moreau, Müller, Nagy, Nakamura,
                    Nguyen, Novák, O'Brien, Okafor, Olsen, Park, Pereira, Petrov, Rao, Rossi,
                    Sato, Schmidt, Silva, Singh, Smith, Tanaka, Varga, Virtanen, Weber, Yilmaz,
                    Zhang
                    """);

    private static final List<String> TOWNS =
            names(
                    """
                    Alderham, Brookvale, Castleford Mere, Dunmoor, Eastwick Bay, Fernhollow,
                    Greywater, Highmarsh, Isling Cross, Juniper Hill, Kingsreach, Larkfield
                    """);

    private static List<String> names(String text) {
        return List.of(text.strip().split(",\\s+"));
    }

    private record Friendship(int one, int other) {}

    private final Random random = new Random(SEED);
    private final int[] towns = new int[PEOPLE];
    private final List<List<Integer>> friends = new ArrayList<>();
    private final Set<Friendship> friendships = new LinkedHashSet<>();

    /** In a town as often as they have friends there, and once more. */
    private final List<List<Integer>> popular = new ArrayList<>();

    /** Makes them. */
    DemoPeople() {
        TOWNS.forEach(_ -> popular.add(new ArrayList<>()));
        for (int person = 0; person < PEOPLE; person++) {
            friends.add(new ArrayList<>());
            // some towns are larger than others
            int draw = random.nextInt(TOWNS.size());
            towns[person] =
                    person < TOWNS.size() ? person : Math.min(draw, random.nextInt(TOWNS.size()));
            for (int i = 0; i < FRIENDS && person > 0; i++) {
                befriend(person, acquaintance(person));
            }
            popular.get(towns[person]).add(person);
        }
    }

    /** Whom somebody new meets. */
    private int acquaintance(int person) {
        List<Integer> near = popular.get(towns[person]);
        List<Integer> known = friends.get(person);
        double chance = random.nextDouble();
        if (chance < NEAR && !near.isEmpty()) {
            return near.get(random.nextInt(near.size()));
        }
        if (chance < KNOWN && !known.isEmpty()) {
            List<Integer> theirs = friends.get(known.get(random.nextInt(known.size())));
            return theirs.get(random.nextInt(theirs.size()));
        }
        return random.nextInt(person);
    }

    private void befriend(int person, int other) {
        Friendship friendship = new Friendship(Math.min(person, other), Math.max(person, other));
        if (person != other && friendships.add(friendship)) {
            friends.get(person).add(other);
            friends.get(other).add(person);
            popular.get(towns[other]).add(other);
        }
    }

    /** What somebody is called; nobody else is. */
    static String name(int person) {
        int first = person % FIRST.size();
        int last = (person / FIRST.size() + 7 * first) % LAST.size();
        return FIRST.get(first) + " " + LAST.get(last);
    }

    /** How many friendships there are. */
    int friendships() {
        return friendships.size();
    }

    /** Writes a table of friendships. */
    void writeFriends(Path file) throws IOException {
        StringBuilder text = new StringBuilder("source,target,since:int\n");
        for (Friendship one : friendships) {
            text.append(
                    "%s,%s,%d\n"
                            .formatted(
                                    name(one.one),
                                    name(one.other),
                                    FIRST_YEAR + random.nextInt(YEARS)));
        }
        Files.writeString(file, text);
    }

    /** Writes a table of people. */
    void writePeople(Path file) throws IOException {
        StringBuilder text = new StringBuilder("id,town:string,age:int\n");
        for (int person = 0; person < PEOPLE; person++) {
            text.append(
                    "%s,%s,%d\n"
                            .formatted(
                                    name(person),
                                    TOWNS.get(towns[person]),
                                    LEAST_AGE + random.nextInt(AGES)));
        }
        Files.writeString(file, text);
    }
}
